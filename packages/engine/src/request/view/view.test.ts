import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import type { ContextPolicy } from '../../policy/policy.ts'
import { assistant, call, reasoning, result, tool, user } from '../../testing/build-conversation.ts'
import { cleared, compaction, prune, reset, transcript, trim, trimmed, undone } from '../../testing/build-entries.ts'
import type { Line } from '../../testing/build-entries.ts'
import { foldEntries } from '../fold/fold-log.ts'
import { createView } from './view.ts'
import type { View } from './view.ts'

const { oneclaw, openclaw, micro, spec008, longhaul } = PRESETS
const view = (policy: ContextPolicy, ...lines: readonly Line[]): View =>
  createView(foldEntries(transcript(...lines)), policy)
const pin = (text: string): Line => ({ type: 'pin', text })

/** `kind id place: text`, one line an item; ids of messages are their seq. */
function show({ items }: View): readonly string[] {
  return items.map(({ kind, id, place, message }) => {
    const words = message.parts.map((part) => ('text' in part ? part.text : part.type)).join(' + ')
    return `${kind} ${id} ${place}: ${words.replaceAll('\n', '|')}`
  })
}

describe('the summary', () => {
  const lines = [user('one'), assistant('two'), user('three'), assistant('four'), compaction({ fromSeq: 3 })]

  it('ONE-13 oneclaw: before the system prompt, to the letter', () => {
    expect(show(view(oneclaw, ...lines))).toEqual([
      'summary e5 system-prompt: Previous conversation summary:|They talked.||---',
      'user e3 message: three',
      'assistant e4 message: four',
    ])
  })

  it('SPEC-05 spec008: one system message, to the letter', () => {
    expect(show(view(spec008, ...lines))[0]).toBe(
      'summary e5 system-message: [Session compacted. Summary of prior conversation:]||They talked.',
    )
  })

  it('ONE-13 openclaw and longhaul: a message of its own, first', () => {
    for (const policy of [openclaw, longhaul]) {
      const [first, ...rest] = show(view(policy, ...lines))
      expect(first).toMatch(/^summary e5 message: \[Summary of the conversation so far\..*\]\|\|They talked\.$/)
      expect(rest).toEqual(['user e3 message: three', 'assistant e4 message: four'])
    }
  })

  it('MICRO-06 micro: behind the first user message; the acknowledgement only where the next message is the user’s', () => {
    const summary = 'summary e6 message: [CONTEXT SUMMARY]|They talked.|[END CONTEXT SUMMARY]'
    const said = [user('task'), assistant('a'), user('b'), assistant('c'), user('d')]
    expect(show(view(micro, ...said, compaction({ fromSeq: 5, carried: [1] })))).toEqual([
      'user e1 message: task',
      summary,
      'acknowledgement acknowledgement message: Understood. Continuing with the current task.',
      'user e5 message: d',
    ])
    expect(show(view(micro, ...said, compaction({ fromSeq: 4, carried: [1] })))).toEqual([
      'user e1 message: task',
      summary,
      'assistant e4 message: c',
      'user e5 message: d',
    ])
    expect(show(view(micro, ...said, compaction({ fromSeq: 6, carried: [1] })))).toEqual([
      'user e1 message: task',
      summary,
    ])
  })

  it('MICRO-06 stands alone where no user message opens the context', () => {
    expect(
      show(view(micro, user('a'), assistant('b'), compaction({ fromSeq: 2 }))).map((line) => line.split(' ')[0]),
    ).toEqual(['summary', 'assistant'])
  })

  it('OPEN-13 a note stands in for a summary, or under it', () => {
    const note = 'Context contained 2 messages. Summary unavailable.'
    expect(show(view(spec008, user('a'), user('b'), trim({ fromSeq: 2, note })))[0]).toContain(note)
    const under = view(
      spec008,
      user('a'),
      user('b'),
      compaction({ fromSeq: 1 }),
      trim({ fromSeq: 2, previous: 3, summary: 3, note }),
    )
    expect(show(under)[0]).toContain(`They talked.||${note}`)
    expect(show(view(spec008, user('a'), user('b'), trim({ fromSeq: 2 })))).toEqual(['user e2 message: b'])
  })

  it('OPEN-02 is gone after a reset', () => {
    expect(show(view(longhaul, ...lines, reset, user('anew')))).toEqual(['user e7 message: anew'])
  })

  it('the view says whether something before it is left out', () => {
    expect(view(longhaul, user('a')).isEdited).toBe(false)
    expect(view(longhaul, user('a'), trim({ fromSeq: 1 })).isEdited).toBe(true)
    expect(view(longhaul, user('a'), compaction({ fromSeq: 1 }), undone(2)).isEdited).toBe(false)
  })
})

describe('pins', () => {
  it('stand where they were made, until they are taken back', () => {
    const said = [user('a'), pin('keep'), assistant('b'), pin('too')]
    expect(show(view(longhaul, ...said))).toEqual([
      'user e1 message: a',
      'pin e2 message: [Pinned by the user; it stays in force]|keep',
      'assistant e3 message: b',
      'pin e4 message: [Pinned by the user; it stays in force]|too',
    ])
    expect(show(view(longhaul, ...said, { type: 'unpin', pin: 'e2' }, { type: 'unpin', pin: 'e4' }))).toHaveLength(2)
  })

  it('never stand between a call and its results', () => {
    const kinds = (...lines: readonly Line[]) => view(longhaul, ...lines).items.map(({ kind }) => kind)
    expect(
      kinds(user('a'), assistant(call('a'), call('b')), pin('p'), tool(result('a')), pin('q'), tool(result('b'))),
    ).toEqual(['user', 'assistant', 'tool', 'tool', 'pin', 'pin'])
    expect(kinds(user('a'), assistant(call('a')), pin('p'), tool(result('a')), user('b'))).toEqual([
      'user',
      'assistant',
      'tool',
      'pin',
      'user',
    ])
  })

  it('stand beside the summary, together, once the base has passed them; those after it stay in place', () => {
    const said = [user('a'), pin('one'), pin('two'), user('b'), pin('three'), compaction({ fromSeq: 4 })]
    expect(show(view(longhaul, ...said)).slice(1)).toEqual([
      'pin e2,e3 message: [Pinned by the user; these stay in force]|1. one|2. two',
      'user e4 message: b',
      'pin e5 message: [Pinned by the user; it stays in force]|three',
    ])
    expect(show(view(oneclaw, ...said))[1]).toBe(
      'pin e2,e3 system-prompt: [Pinned by the user; these stay in force]|1. one|2. two',
    )
    expect(show(view(spec008, ...said))[1]).toContain('pin e2,e3 system-message')
  })

  it('OPEN-02 survive a reset', () => {
    expect(show(view(longhaul, user('a'), pin('one'), reset))).toEqual([
      'pin e2 message: [Pinned by the user; these stay in force]|1. one',
    ])
  })
})

describe('forms', () => {
  const LONG = 'x'.repeat(1_000)
  const said = [user('a'), assistant(call('a'), call('b')), tool(result('a', LONG), result('b', LONG))]

  it('become the state of their message: the strongest of its parts', () => {
    const stateOf = (...lines: readonly Line[]) => view(longhaul, ...said, ...lines).items[2]?.state
    expect(stateOf()).toBe('verbatim')
    expect(stateOf(prune(trimmed(3, 50)))).toBe('soft-trimmed')
    expect(stateOf(prune(trimmed(3, 50), cleared(3, 1)))).toBe('cleared')
  })

  it('are counted as they are sent', () => {
    const [whole, short] = [view(longhaul, ...said), view(longhaul, ...said, prune(cleared(3), cleared(3, 1)))]
    expect(short.items[2]?.tokens).toBeLessThan((whole.items[2]?.tokens ?? 0) / 4)
    expect(short.items[2]?.isEdited).toBe(true)
  })
})

describe('keys', () => {
  const LONG = 'x'.repeat(1_000)
  const note = (count: number): string => `Context contained ${count} messages. Summary unavailable.`
  const said = [user('a'), assistant(reasoning('hm'), call('a')), tool(result('a', LONG)), user('b')]
  const compacted = [...said, compaction({ fromSeq: 4 })]
  const keys = (policy: ContextPolicy, ...lines: readonly Line[]) => view(policy, ...lines).items.map(({ key }) => key)
  const bytes = (policy: ContextPolicy, ...lines: readonly Line[]) =>
    view(policy, ...lines).items.map(({ place, message: { role, parts } }) => JSON.stringify([place, role, parts]))

  const histories: readonly (readonly [string, readonly Line[], ContextPolicy?])[] = [
    ['as it was said', said],
    ['trimmed', [...said, prune(trimmed(3, 50))]],
    ['trimmed further', [...said, prune(trimmed(3, 20))]],
    ['trimmed twice', [...said, prune(trimmed(3, 50)), prune(trimmed(3, 20))]],
    ['cleared', [...said, prune(cleared(3))]],
    ['cleared in other words', [...said, prune(cleared(3, 0, '[out]'))]],
    ['pruned to no effect', [...said, prune(cleared(3, 0, LONG))]],
    ['compacted', compacted],
    ['compacted, elsewhere placed', compacted, spec008],
    ['compacted, first user message', compacted, micro],
    ['trimmed away once', [...compacted, trim({ fromSeq: 4, previous: 5, summary: 5, note: note(12) })]],
    ['trimmed away twice', [...compacted, trim({ fromSeq: 4, previous: 5, summary: 5, note: note(13) })]],
    ['undone', [...compacted, undone(5)]],
    ['pinned', [...said, pin('p'), compaction({ fromSeq: 4 })]],
    ['pinned, then covered', [...said, pin('p'), user('c'), compaction({ fromSeq: 6 })]],
  ]
  it('change exactly when the bytes of an item change', () => {
    const keyByBytes = new Map<string, string>()
    const bytesByKey = new Map<string, string>()
    for (const [name, lines, policy = longhaul] of histories) {
      const all = keys(policy, ...lines)
      bytes(policy, ...lines).forEach((sent, index) => {
        // The summary of another compaction may say the same words.
        const key = all[index] ?? ''
        expect(bytesByKey.get(key) ?? sent, `${name}: one key for two texts`).toBe(sent)
        bytesByKey.set(key, sent)
        if (!key.startsWith('summary')) expect(keyByBytes.get(sent) ?? key, `${name}: two keys for one text`).toBe(key)
        keyByBytes.set(sent, key)
      })
    }
  })

  it('a result that comes late changes the key of its call: until then a note was sent in its place', () => {
    const late = [user('a'), assistant(call('a'), call('b')), tool(result('a')), user('b'), assistant('c')]
    const [before, after] = [keys(longhaul, ...late), keys(longhaul, ...late, tool(result('b', 'here')))]
    expect(after[1]).not.toBe(before[1])
    expect(after.slice(2, 5)).toEqual(before.slice(2))
    expect(keys(longhaul, ...late.slice(0, 2), tool(result('a'), result('b')))[1]).toBe(after[1])
  })

  it('are the same for the same state, and for the same state folded again', () => {
    for (const [, lines, policy = longhaul] of histories) expect(keys(policy, ...lines)).toEqual(keys(policy, ...lines))
  })
})
