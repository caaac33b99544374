import { describe, expect, it } from 'vitest'
import { PRESETS } from '../policy/presets.ts'
import type { PresetName } from '../policy/presets.ts'
import { driveSession } from '../testing/drive-session.ts'
import { findInvalid } from '../testing/find-invalid.ts'
import { UNCALIBRATED } from '../tokens/meter.ts'
import type { Entry } from '../transcript/entry.ts'
import { foldEntries } from './fold/fold-log.ts'
import { sealRequest } from './seal/seal.ts'
import { createView } from './view/view.ts'

const presets = Object.keys(PRESETS) as PresetName[]
const environment = { system: null, files: [], tools: [] }
const context = { environment, model: null, calibration: UNCALIBRATED }

describe('bad input', () => {
  it.each(presets)('a text of 50 MB is refused by name and never sent, with %s', async (preset) => {
    const session = driveSession({ policy: PRESETS[preset], windowTokens: 200_000 })
    session.append({ type: 'message', role: 'user', parts: [{ type: 'text', text: 'x'.repeat(50_000_000) }] })
    const plan = await session.maintain('before-turn')
    expect(plan).toMatchObject({ action: 'block', culprit: { kind: 'message' } })
    expect(session.seal().fits).toBe(false)
  })

  it.each(presets)('an old tool result of 50 MB is left out, with %s', async (preset) => {
    const session = driveSession({ policy: PRESETS[preset], windowTokens: 200_000 })
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} } as const
    const result = { type: 'tool-result', toolCallId: 'a', toolName: 'read', output: 'y'.repeat(50_000_000) } as const
    session.append({ type: 'message', role: 'user', parts: [{ type: 'text', text: 'first' }] })
    session.append({ type: 'message', role: 'assistant', parts: [call] })
    session.append({ type: 'message', role: 'tool', parts: [result] })
    session.append({ type: 'message', role: 'user', parts: [{ type: 'text', text: 'go on' }] })
    await session.maintain('before-turn')
    const sealed = session.seal()
    expect(findInvalid(sealed)).toEqual([])
    expect(sealed.fits).toBe(true)
    expect(sealed.bytes).toBeLessThan(2_000_000)
  })

  it.each(presets)('100,000 messages make one valid request, with %s', (preset) => {
    const policy = PRESETS[preset]
    const state = foldEntries(Array.from({ length: 100_000 }, (_, index) => shortMessage(index)))
    const view = createView(state, policy)
    const sealed = sealRequest({
      view,
      context: { ...context, estimator: policy.estimator },
      maxTokens: 100_000,
      maxBytes: null,
    })
    expect(view.items).toHaveLength(100_000)
    expect(findInvalid(sealed)).toEqual([])
    expect(sealed.fits).toBe(true)
  })

  it('entries with one id, null content and unknown roles are folded without loss of the others', () => {
    const state = foldEntries([
      { type: 'message', seq: 1, id: 'same', at: 1, role: 'user', parts: null },
      { type: 'message', seq: 2, id: 'same', at: 2, role: 'user', parts: [{ type: 'text', text: 'kept' }, null, 7] },
      { type: 'message', seq: 3, id: 'same', at: 3, role: 'developer', parts: 'as a string' },
      null,
      'not an entry',
      { type: 'compaction', seq: 4, id: 'broken', at: 4 },
    ])
    const view = createView(state, PRESETS.longhaul)
    const sealed = sealRequest({ view, context: { ...context, estimator: 'classes' }, maxTokens: null, maxBytes: null })
    expect(findInvalid(sealed)).toEqual([])
    expect(JSON.stringify(sealed.messages)).toContain('kept')
    expect(JSON.stringify(sealed.messages)).toContain('as a string')
  })
})

function shortMessage(index: number): Entry {
  const role = index % 2 === 0 ? 'user' : 'assistant'
  return {
    type: 'message',
    seq: index + 1,
    id: `m${index}`,
    at: index,
    role,
    parts: [{ type: 'text', text: `line ${index}` }],
  }
}
