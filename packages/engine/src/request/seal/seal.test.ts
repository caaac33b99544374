import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import type { ContextPolicy } from '../../policy/policy.ts'
import { assistant, call, image, reasoning, result, text, tool, user } from '../../testing/build-conversation.ts'
import { cleared, compaction, prune, transcript } from '../../testing/build-entries.ts'
import type { Line } from '../../testing/build-entries.ts'
import { findInvalid } from '../../testing/find-invalid.ts'
import { UNCALIBRATED } from '../../tokens/meter.ts'
import type { ReasoningPart, ToolCallPart } from '../../transcript/message.ts'
import { foldEntries } from '../fold/fold-log.ts'
import { findNeededEntries, openState } from '../fold/open-state.ts'
import type { Environment } from '../view/environment.ts'
import { measureView } from '../view/measure-view.ts'
import { createView } from '../view/view.ts'
import { sealRequest } from './seal.ts'
import type { SealedRequest } from './sealed-request.ts'

const { oneclaw, micro, spec008, longhaul } = PRESETS

interface Options {
  readonly policy?: ContextPolicy
  readonly environment?: Environment
  readonly maxTokens?: number
  readonly maxBytes?: number
}

function contextOf({ policy = longhaul, environment = { system: 'You help.', files: [], tools: [] } }: Options) {
  return { environment, model: 'a/one', calibration: UNCALIBRATED, estimator: policy.estimator }
}

function seal(lines: readonly Line[], options: Options = {}): SealedRequest {
  const { policy = longhaul, maxTokens = null, maxBytes = null } = options
  const view = createView(foldEntries(transcript(...lines)), policy)
  return sealRequest({ view, context: contextOf(options), maxTokens, maxBytes })
}

/** An answer as the agent stores it: with the anchor of the request it was given to. */
function answer(lines: readonly Line[], ...parts: readonly (string | ReasoningPart | ToolCallPart)[]): readonly Line[] {
  const { anchor } = seal(lines)
  return [
    ...lines,
    { type: 'message', ...assistant(...parts), model: 'a/one', usage: { input: 1_000, output: 20 }, anchor },
  ]
}

const thoughts = ({ messages }: SealedRequest): readonly string[] =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])))
const kindsOf = ({ repairs }: SealedRequest): readonly string[] => repairs.map(({ kind }) => kind)

describe('placement', () => {
  const lines = [user('one'), assistant('two'), user('three'), compaction({ fromSeq: 3 })]

  it('ONE-13 oneclaw: before the system prompt', () => {
    expect(seal(lines, { policy: oneclaw })).toMatchObject({
      system: 'Previous conversation summary:\nThey talked.\n\n---\n\nYou help.',
      messages: [{ role: 'user', parts: [text('three')] }],
    })
  })

  it('ONE-13 oneclaw without a system prompt', () => {
    const environment = { system: null, files: [], tools: [] }
    expect(seal(lines, { policy: oneclaw, environment }).system).toBe(
      'Previous conversation summary:\nThey talked.\n\n---\n\nContinue the conversation based on the summary above.',
    )
    expect(seal([user('one')], { policy: oneclaw, environment }).system).toBeNull()
  })

  it('MICRO-06 micro: one first user message with the original text and the summary', () => {
    const said = [user('task'), assistant('a'), user('b'), assistant('c'), user('d')]
    const summary = text('[CONTEXT SUMMARY]\nThey talked.\n[END CONTEXT SUMMARY]')
    expect(seal([...said, compaction({ fromSeq: 5, carried: [1] })], { policy: micro }).messages).toEqual([
      { role: 'user', parts: [text('task'), summary] },
      { role: 'assistant', parts: [text('Understood. Continuing with the current task.')] },
      { role: 'user', parts: [text('d')] },
    ])
    expect(seal([...said, compaction({ fromSeq: 4, carried: [1] })], { policy: micro }).messages).toEqual([
      { role: 'user', parts: [text('task'), summary] },
      { role: 'assistant', parts: [text('c')] },
      { role: 'user', parts: [text('d')] },
    ])
  })

  it('SPEC-05 spec008: one system message, first; the system prompt stays what it was', () => {
    const { system, messages } = seal(lines, { policy: spec008 })
    expect(system).toBe('You help.')
    expect(messages).toEqual([
      { role: 'system', parts: [text('[Session compacted. Summary of prior conversation:]\n\nThey talked.')] },
      { role: 'user', parts: [text('three')] },
    ])
  })

  it('longhaul: system prompt and tools stay a cached prefix through a compaction', () => {
    const environment = { system: 's', files: [], tools: [{ name: 'read', description: '', inputSchema: {} }] }
    const [before, after] = [seal(lines.slice(0, 3), { environment }), seal(lines, { environment })]
    expect([after.system, after.tools]).toEqual([before.system, before.tools])
    expect(after.messages).toHaveLength(1)
  })
})

describe('reasoning', () => {
  const LONG = 'x'.repeat(1_000)
  const first = answer([user('go')], reasoning('first'), call('a'))
  const second = answer([...first, tool(result('a', LONG))], reasoning('second'), 'done')

  it('is sent back while everything before it is what the model saw', () => {
    expect(thoughts(seal([...second, user('next')]))).toEqual(['first', 'second'])
  })

  it('is dropped after an edit, and from every later message whose prefix then differs', () => {
    const pruned = seal([...second, prune(cleared(3)), user('next')])
    expect(thoughts(pruned)).toEqual(['first'])
    expect(kindsOf(pruned)).toContain('reasoning-dropped')
    expect(thoughts(seal([...second, user('next'), compaction({ fromSeq: 2, carried: [1] })]))).toEqual([])
    const changed = { environment: { system: 'You help!', files: [], tools: [] } }
    expect(thoughts(seal([...second, user('next')], changed))).toEqual([])
  })

  it('is kept again in what the model writes after the edit', () => {
    const later = answer([...second, prune(cleared(3)), user('next')], reasoning('third'), 'ok')
    expect(thoughts(seal([...later, user('more')]))).toEqual(['first', 'third'])
    const compacted = answer(
      [...second, user('next'), compaction({ fromSeq: 2, carried: [1] })],
      reasoning('fourth'),
      'ok',
    )
    expect(thoughts(seal([...compacted, user('more')]))).toEqual(['fourth'])
  })

  it('is dropped where the request is cut to fit: what was cut stood before it', () => {
    const later = [...answer([...second, user('next')], reasoning('third'), 'ok'), user('more')]
    const cut = seal(later, { maxTokens: 60 })
    expect(cut.fits).toBe(true)
    expect(kindsOf(cut)).toContain('message-left-out')
    expect(thoughts(cut)).toEqual([])
    expect(thoughts(seal(later, { maxBytes: 400 }))).toEqual([])
  })

  it('is dropped where the request it answered ended in words of ours that are not sent again', () => {
    const lines = answer([user('go'), assistant('half an ans')], reasoning('then'), 'wer')
    expect(seal([user('go'), assistant('half an ans')]).messages.at(-1)).toEqual({
      role: 'user',
      parts: [text('Continue.')],
    })
    expect(thoughts(seal([...lines, user('next')]))).toEqual([])
  })

  it('is dropped where a missing result has come since', () => {
    const asked = [user('go'), assistant(call('a')), user('hello?')]
    const lines = answer(asked, reasoning('no result yet'), 'I wait')
    expect(thoughts(seal([...lines, user('ok')]))).toEqual(['no result yet'])
    expect(thoughts(seal([...lines, tool(result('a', 'late')), user('ok')]))).toEqual([])
  })
})

describe('the anchor', () => {
  it('lets the meter reuse the bill for the next request', () => {
    const lines = [...answer([user('go')], 'done'), user('next')]
    const view = createView(foldEntries(transcript(...lines)), longhaul)
    expect(measureView(view, contextOf({})).reading).toMatchObject({ source: 'reported', reportedTokens: 1_020 })
    expect(seal(lines).tokens.source).toBe('reported')
  })

  it('matches nothing after a request that was cut to fit', () => {
    const lines = [user('x'.repeat(4_000)), assistant('a'), user('go')]
    const { anchor, fits } = seal(lines, { maxTokens: 50 })
    expect(fits).toBe(true)
    const answered: readonly Line[] = [
      ...lines,
      { type: 'message', ...assistant('b'), usage: { input: 40, output: 1 }, anchor },
    ]
    expect(seal([...answered, user('next')]).tokens.source).toBe('estimated')
  })
})

describe('the request', () => {
  const lines = [
    user('go', image()),
    assistant(call('a'), call('b')),
    tool(result('b', 'B')),
    assistant('done'),
    compaction({ fromSeq: 2, carried: [1] }),
    { type: 'pin', text: 'keep' } as const,
    user('next'),
  ]

  it('is the same bytes each time, and after a restart', () => {
    const { bytesHash, messages } = seal(lines)
    expect(seal(lines)).toMatchObject({ bytesHash, messages })
    const entries = transcript(...lines)
    const { head } = foldEntries(entries)
    const { fromSeq, seqs } = findNeededEntries(head.base)
    const needed = entries.filter(({ seq }) => seq >= fromSeq || seqs.includes(seq))
    const state = openState(head, JSON.parse(JSON.stringify(needed)) as unknown[])
    const again = sealRequest({
      view: createView(state, longhaul),
      context: contextOf({}),
      maxTokens: null,
      maxBytes: null,
    })
    expect(again.bytesHash).toBe(bytesHash)
  })

  it('counts its bytes', () => {
    const { bytes, system, messages } = seal(lines)
    const expected = new TextEncoder().encode(messages.map(({ parts }) => JSON.stringify(parts)).join('')).length
    expect(bytes).toBe(expected + (system ?? '').length + '[]'.length)
  })

  it('says so where it cannot fit: nothing of the newest message is cut', () => {
    const sealed = seal([user('old'), assistant('a'), user('y'.repeat(4_000))], { maxTokens: 100 })
    expect(sealed.fits).toBe(false)
    expect(sealed.messages).toEqual([{ role: 'user', parts: [text('y'.repeat(4_000))] }])
    expect(findInvalid(sealed)).toEqual([])
  })

  it('fits exactly at the limit, and is cut one below it', () => {
    const said = [user('old'), assistant('a'), user('new')]
    const tokens = seal(said).tokens.tokens ?? 0
    expect(kindsOf(seal(said, { maxTokens: tokens }))).toEqual([])
    expect(kindsOf(seal(said, { maxTokens: tokens - 1 }))).toContain('message-left-out')
  })

  it('keeps images within the bytes: old ones go, the newest stay', () => {
    const shot = { ...image(), image: 'A'.repeat(10_000) }
    const sealed = seal([user('one', shot), assistant('a'), user('two', shot), assistant('b'), user('three', shot)], {
      maxBytes: 25_000,
    })
    expect(sealed.fits).toBe(true)
    expect(sealed.messages.map(({ parts }) => parts.some((part) => part.type === 'image'))).toEqual([
      false,
      false,
      true,
      false,
      true,
    ])
    expect(seal([user('three', shot)], { maxBytes: 5_000 }).fits).toBe(false)
  })
})
