import { describe, expect, it } from 'vitest'
import { assistant, call, result, tool, user } from '../../testing/build-conversation.ts'
import {
  cleared,
  compaction,
  prune,
  ref,
  reset,
  transcript,
  trim,
  trimmed,
  undone,
} from '../../testing/build-entries.ts'
import type { Line } from '../../testing/build-entries.ts'
import type { Entry } from '../../transcript/entry.ts'
import { renderDocument } from '../../summary/render-document.ts'
import { elementsOf } from './append-list.ts'
import { foldEntry } from './fold.ts'
import { foldEntries } from './fold-log.ts'
import type { State } from './state.ts'

const fold = (...list: readonly Line[]): State => foldEntries(transcript(...list))
const shownBy = (state: State): readonly string[] =>
  [...state.carried, ...elementsOf(state.window)].map((item) => item.entry.id)
const documentOf = ({ document }: State): string | null => (document === null ? null : renderDocument(document))
const says = (count: number) => Array.from({ length: count }, (_, index) => user(`message ${index + 1}`))

/** What a request is made of; `earlier` and `missing` are how to get back. */
const shown = ({ head, document, carried, window }: State) => ({
  base: head.base,
  document,
  carried,
  window: elementsOf(window),
})

describe('a base', () => {
  it('ONE-02 one cumulative summary and the first kept message: what lies before it is covered', () => {
    const state = fold(...says(4), compaction({ fromSeq: 3 }), user('next'))
    expect(shownBy(state)).toEqual(['e3', 'e4', 'e6'])
    expect(documentOf(state)).toBe('They talked.')
  })

  it('ONE-02 keeps what was said while the compaction was being made', () => {
    expect(shownBy(fold(...says(5), compaction({ fromSeq: 3 })))).toEqual(['e3', 'e4', 'e5'])
  })

  it('shows carried messages before the window, each once', () => {
    expect(shownBy(fold(...says(5), compaction({ fromSeq: 5, carried: [1, 3] })))).toEqual(['e1', 'e3', 'e5'])
  })

  it('a later compaction replaces the summary; a trim keeps it', () => {
    const first = [...says(4), compaction({ fromSeq: 3, text: 'first' })] as const
    const state = fold(...first, trim({ fromSeq: 4, previous: 5, summary: 5 }))
    expect([documentOf(state), shownBy(state)]).toEqual(['first', ['e4']])
    expect(documentOf(fold(...first, compaction({ fromSeq: 4, previous: 5, text: 'second' })))).toBe('second')
  })

  it('OPEN-02 a reset hides messages and summary, and keeps pins', () => {
    const state = fold(...says(2), compaction({ fromSeq: 2 }), { type: 'pin', text: 'keep' }, reset, user('anew'))
    expect(shownBy(state)).toEqual(['e6'])
    expect(state.document).toBeNull()
    expect(state.head.pins).toEqual([{ ...ref(4), text: 'keep' }])
  })
})

describe('undo', () => {
  const before = [...says(6), compaction({ fromSeq: 4, carried: [2], text: 'first' }), user('more')] as const

  it('restores what was shown exactly, for a compaction and for a trim', () => {
    const state = fold(...before)
    expect(shown(fold(...before, compaction({ fromSeq: 6, previous: 7, text: 'second' }), undone(9)))).toEqual(
      shown(state),
    )
    expect(shown(fold(...before, trim({ fromSeq: 6, previous: 7, summary: 7 }), undone(9)))).toEqual(shown(state))
  })

  it('keeps what was said and pruned since', () => {
    const list = [user('go'), assistant(call('a')), tool(result('a', 'x'.repeat(500)))] as const
    const state = fold(...list, compaction({ fromSeq: 2 }), user('on'), prune(cleared(3)), undone(4))
    expect(shownBy(state)).toEqual(['e1', 'e2', 'e3', 'e5'])
    expect(elementsOf(state.window)[2]?.forms?.get(0)).toEqual({ form: 'cleared', placeholder: '[gone]' })
  })

  it('is last in, first out: naming anything but the base in force changes nothing but the seq', () => {
    const state = fold(...before, compaction({ fromSeq: 6, previous: 7 }))
    for (const named of [7, 8, 99]) {
      const [entry] = transcript(undone(named)) as [Entry]
      const after = foldEntry(state, { ...entry, seq: 10 })
      expect(after).toEqual({ ...state, head: { ...state.head, lastSeq: 10 } })
    }
    expect(shownBy(fold(...before, compaction({ fromSeq: 6, previous: 7 }), undone(9), undone(7)))).toEqual([
      'e1',
      'e2',
      'e3',
      'e4',
      'e5',
      'e6',
      'e8',
    ])
  })

  it('moves the epoch and exempts the span until the base moves again', () => {
    const undo = fold(...before, undone(7))
    expect(undo.head).toMatchObject({ epoch: 9, isExempt: true, compactionCount: 1 })
    expect(fold(...before, undone(7), compaction({ fromSeq: 4 })).head.isExempt).toBe(false)
  })

  it('OPEN-02 a reset is final, and so is what lies below it', () => {
    const state = fold(...says(2), reset, user('anew'))
    expect(shownBy(fold(...says(2), reset, user('anew'), undone(3)))).toEqual(shownBy(state))
    const above = fold(...says(2), reset, user('anew'), compaction({ fromSeq: 5, previous: 3 }), undone(5))
    expect(shown(above)).toEqual(shown(state))
  })

  it('names the missing base where it reaches behind what is loaded', () => {
    const state = { ...fold(...before), earlier: [] }
    const [entry] = transcript(undone(7)) as [Entry]
    expect(foldEntry(state, { ...entry, seq: 9 }).missing).toBe('start')
    const second = { ...fold(...before, compaction({ fromSeq: 6, previous: 7 })), earlier: [] }
    expect(foldEntry(second, { type: 'compaction-undone', seq: 10, id: 'x', at: 0, compaction: 'e9' }).missing).toEqual(
      ref(7),
    )
  })
})

describe('prune', () => {
  const LONG = 'x'.repeat(1_000)
  const list = [user('go'), assistant(call('a'), call('b')), tool(result('a', LONG), result('b', LONG))] as const
  const outputs = (state: State): readonly unknown[] =>
    (elementsOf(state.window)[2]?.message.parts ?? []).map((part) => (part.type === 'tool-result' ? part.output : null))
  const cut = (chars: number): string => `${'x'.repeat(chars)}\n...\n${'x'.repeat(chars)}\n\n[cut]`

  it('shows a part in its form; the entry and its other parts stay', () => {
    const state = fold(...list, prune(trimmed(3, 50, 1)))
    expect(outputs(state)).toEqual([LONG, cut(50)])
    expect(elementsOf(state.window)[2]?.entry).toEqual(transcript(...list)[2])
  })

  it('the latest decision wins, and forms only shrink', () => {
    expect(outputs(fold(...list, prune(trimmed(3, 200)), prune(trimmed(3, 50))))).toEqual([cut(50), LONG])
    expect(outputs(fold(...list, prune(trimmed(3, 50)), prune(trimmed(3, 200))))).toEqual([cut(50), LONG])
    expect(outputs(fold(...list, prune(trimmed(3, 50)), prune(cleared(3))))).toEqual(['[gone]', LONG])
    expect(outputs(fold(...list, prune(cleared(3)), prune(trimmed(3, 50))))).toEqual(['[gone]', LONG])
    expect(outputs(fold(...list, prune(cleared(3)), prune(cleared(3, 0, '[other]'))))).toEqual(['[gone]', LONG])
  })

  it('ignores a decision that would make its part no shorter, or bring back what is gone', () => {
    const state = fold(...list)
    expect(shown(fold(...list, prune(cleared(3, 0, 'y'.repeat(1_000)), trimmed(3, 600, 1))))).toEqual(shown(state))
    expect(outputs(fold(...list, prune(trimmed(3, 5)), prune(cleared(3, 0, 'y'.repeat(200)))))).toEqual([cut(5), LONG])
    const call2 = [user('go'), assistant(call('a', 'write', { text: LONG })), tool(result('a'))] as const
    const inputs = (made: State): unknown => elementsOf(made.window)[1]?.message.parts[0]
    expect(inputs(fold(...call2, prune(trimmed(2, 50)), prune(cleared(2))))).toMatchObject({ input: { text: cut(50) } })
  })

  it('ignores unknown entries, wrong ids, parts that are not there and text that was said', () => {
    const state = fold(...list)
    const wrong = prune(
      cleared(9),
      { ...cleared(3), entry: { id: 'e2', seq: 3 } },
      cleared(3, 7),
      cleared(1, 0, ''),
      cleared(2, 0, ''),
    )
    expect(shown(fold(...list, wrong))).toEqual(shown(state))
  })

  it('reaches messages that are carried or lie before the base', () => {
    const state = fold(...list, user('on'), compaction({ fromSeq: 4, carried: [3] }), prune(cleared(3), cleared(2)))
    expect(state.carried[0]?.message.parts[0]).toMatchObject({ output: '[gone]' })
    expect(outputs(fold(...list, user('on'), compaction({ fromSeq: 4 }), prune(cleared(3)), undone(5)))).toEqual([
      '[gone]',
      LONG,
    ])
  })

  it('leaves an older state what it was', () => {
    const state = fold(...list)
    foldEntry(state, { ...transcript(prune(cleared(3)))[0], seq: 4 })
    expect(outputs(state)).toEqual([LONG, LONG])
  })
})
