import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { arbitraryEntries } from '../../testing/arbitrary-conversation.ts'
import { assistant, user } from '../../testing/build-conversation.ts'
import { transcript } from '../../testing/build-entries.ts'
import { findInvalid } from '../../testing/find-invalid.ts'
import type { Entry } from '../../transcript/entry.ts'
import { foldEntries } from '../fold/fold-log.ts'
import { measureView } from '../view/measure-view.ts'
import { createView } from '../view/view.ts'
import { addRecalled } from './add-recalled.ts'
import type { RequestWithView } from './add-recalled.ts'
import { sealRequest } from './seal.ts'

const policy = PRESETS.longhaul
const context = {
  environment: { system: 'You help.', files: [], tools: [] },
  model: null,
  calibration: { ratio: 1.5, frameTokens: 3, lineTokens: 0, overheadTokens: 7 },
  estimator: policy.estimator,
}
const recalled = user('[Found in earlier messages]\n- message e1, user: The gate key is 4711.')

function prepare(entries: readonly Entry[]): RequestWithView {
  const view = createView(foldEntries(entries), policy)
  const sealed = sealRequest({ view, context, maxTokens: null, maxBytes: null })
  return { view, sealed, lesson: measureView(view, context).lesson }
}

describe('lines brought back', () => {
  it('make a valid request whose messages before them stay as they are, for any conversation', () => {
    fc.assert(
      fc.property(arbitraryEntries(), (entries) => {
        const prepared = prepare(entries)
        const added = addRecalled(prepared, recalled, { context, maxTokens: null })
        if (added === null) return
        const { sealed, view } = added
        expect(findInvalid(sealed)).toEqual([])
        const stable = sealed.stableMessages ?? 0
        expect(stable).toBe(sealed.messages.length - 1)
        expect(sealed.messages.slice(0, stable)).toEqual(prepared.sealed.messages.slice(0, stable))
        const before = prepared.sealed.messages[stable]?.parts ?? []
        expect(sealed.messages.at(-1)?.parts).toEqual([...before, ...recalled.parts])
        expect(view.items.slice(0, -1)).toEqual(prepared.view.items)
        expect(view.items.at(-1)?.kind).toBe('recalled')
        expect(sealed.anchor).toMatchObject(prepared.sealed.anchor)
      }),
      { numRuns: 200 },
    )
  })

  it('are in the size of their request, and not in that of the next', () => {
    const talk = [user('Hello'), assistant('Hello yourself'), user('Where is the key?')]
    const prepared = prepare(transcript(...talk))
    const added = addRecalled(prepared, recalled, { context, maxTokens: null }) as RequestWithView
    const [before, after] = [prepared.sealed.tokens.tokens ?? 0, added.sealed.tokens.tokens ?? 0]
    expect(after).toBeGreaterThan(before + 20)
    const billed = { usage: { input: after, output: 8 }, anchor: added.sealed.anchor }
    const answered = createView(foldEntries(transcript(...talk, { ...assistant('On the hook.'), ...billed })), policy)
    const { reading } = measureView(answered, context)
    expect(reading).toMatchObject({ source: 'reported', tokens: before + 8 })
  })

  it('teach the meter by all that was sent', () => {
    const prepared = prepare(transcript(user('Hello')))
    const added = addRecalled(prepared, recalled, { context, maxTokens: null })
    const size = added?.view.items.at(-1)?.tokens ?? 0
    expect(size).toBeGreaterThan(0)
    expect(added?.lesson.rest.tokens).toBe(prepared.lesson.rest.tokens + size)
  })

  it('are left out where they do not fit, or nothing waits for an answer', () => {
    const prepared = prepare(transcript(user('Hello')))
    const { tokens } = prepared.sealed.tokens
    expect(addRecalled(prepared, recalled, { context, maxTokens: (tokens ?? 0) + 5 })).toBeNull()
    expect(
      addRecalled(prepare(transcript(user('Hi'), assistant('Ho'))), recalled, { context, maxTokens: null }),
    ).toBeNull()
  })
})
