import { describe, expect, it } from 'vitest'
import { resolveLimits } from '../../policy/limits.ts'
import { PRESETS } from '../../policy/presets.ts'
import { assistant, user } from '../../testing/build-conversation.ts'
import { transcript } from '../../testing/build-entries.ts'
import { UNCALIBRATED } from '../../tokens/meter.ts'
import { foldEntries } from '../fold/fold-log.ts'
import type { Environment } from '../view/environment.ts'
import { findCulprit } from './find-culprit.ts'
import type { SessionContext } from './session-context.ts'

const words = (tokens: number): string => 'x'.repeat(tokens * 4)
const bare: Environment = { system: null, files: [], tools: [] }
const policy = PRESETS.oneclaw

/** A window of 16,000 tokens has room for 12,000. */
function find(environment: Partial<Environment>, message: string, change: Partial<SessionContext> = {}) {
  const state = foldEntries(transcript(user(words(9_000)), assistant(words(9_000)), user(message), assistant('ok')))
  const limits = resolveLimits(policy, { windowTokens: 16_000 })
  return findCulprit({
    state,
    policy,
    limits,
    environment: { ...bare, ...environment },
    model: null,
    calibration: UNCALIBRATED,
    ...change,
  })
}

describe('findCulprit', () => {
  it.each([
    ['system', 'system prompt', { system: words(9_000) }],
    ['file', 'AGENTS.md', { system: 's', files: [{ name: 'AGENTS.md', text: words(9_000) }] }],
    ['tools', '1 tools', { tools: [{ name: 'read', description: words(9_000), inputSchema: {} }] }],
  ] as const)('names the %s', (kind, label, environment) => {
    expect(find(environment, words(4_000))).toMatchObject({ kind, label, inputTokens: 12_000 })
  })

  it('names the newest user message where that is the largest', () => {
    expect(find({ system: words(100) }, words(12_000))).toEqual({
      kind: 'message',
      label: 'your message',
      tokens: 12_000,
      neededTokens: 12_100,
      inputTokens: 12_000,
    })
  })

  it('finds none where they fit, to the token; older messages do not count', () => {
    expect(find({ system: words(4_000) }, words(8_000))).toBeNull()
    expect(find({ system: words(4_000) }, words(8_001))).not.toBeNull()
  })

  it('counts in billed tokens', () => {
    expect(find({}, words(7_000), { calibration: { ...UNCALIBRATED, ratio: 1.5, overheadTokens: 1_500 } })).toBeNull()
    expect(
      find({}, words(7_000), { calibration: { ...UNCALIBRATED, ratio: 1.5, overheadTokens: 1_501 } }),
    ).toMatchObject({
      tokens: 10_500,
      neededTokens: 12_001,
    })
  })

  it('LH-05 finds none where the window is unknown', () => {
    expect(find({}, words(900_000), { limits: null })).toBeNull()
  })
})
