import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryItems } from '../../testing/arbitrary-conversation.ts'
import { assistant, call, entry, items, result, tool, user } from '../../testing/build-conversation.ts'
import { createItem } from '../../transcript/item.ts'
import type { LedgerFact } from '../../transcript/summary-document.ts'
import { extractFacts } from '../extract-facts.ts'
import { factKey } from '../facts/fact-collector.ts'
import { LEDGER_LIMITS, mergeLedgers, updateLedger } from './ledger.ts'

function fact(fields: Partial<LedgerFact>): LedgerFact {
  return { kind: 'url', text: 'https://example.com', by: 'tool', sources: ['m1'], count: 1, lastSeq: 1, ...fields }
}

const keys = (ledger: readonly LedgerFact[]) => ledger.map(factKey).toSorted()

describe('mergeLedgers', () => {
  test('counts add, the newer note and the higher speaker win, sources stay bounded', () => {
    const merged = mergeLedgers(
      [
        fact({
          kind: 'command',
          text: 'npm test',
          note: 'failed',
          by: 'tool',
          sources: ['a', 'b', 'c', 'd'],
          count: 4,
          lastSeq: 4,
        }),
      ],
      [fact({ kind: 'command', text: 'npm test', note: 'ok', by: 'assistant', sources: ['e'], count: 1, lastSeq: 9 })],
    )
    expect(merged).toEqual([
      fact({
        kind: 'command',
        text: 'npm test',
        note: 'ok',
        by: 'assistant',
        sources: ['a', 'c', 'd', 'e'],
        count: 5,
        lastSeq: 9,
      }),
    ])
  })

  test('the first ask stays, the latest is replaced', () => {
    const merged = mergeLedgers(asks('one', 1), asks('two', 5))
    expect(merged.map(({ kind, text }) => [kind, text])).toEqual([
      ['first-ask', 'one'],
      ['latest-ask', 'two'],
    ])
  })

  test('a path changed later leaves the files read', () => {
    const read = fact({ kind: 'file-read', text: 'src/a.ts', by: 'assistant', sources: ['m1'], lastSeq: 1 })
    const changed = fact({
      kind: 'file-changed',
      text: '/app/src/a.ts',
      note: 'edited',
      by: 'assistant',
      sources: ['m2'],
      lastSeq: 2,
    })
    const merged = mergeLedgers([read], [changed])
    expect(merged).toEqual([{ ...changed, sources: ['m1', 'm2'], count: 2 }])
    expect(mergeLedgers([changed], [{ ...read, lastSeq: 3 }])).toMatchObject([
      { kind: 'file-changed', note: 'edited', count: 2 },
    ])
  })

  test('a short path that two files end in stays what it is', () => {
    const paths = ['/a/src/index.ts', '/b/src/index.ts', 'src/index.ts'].map((text) =>
      fact({ kind: 'file-read', text }),
    )
    expect(mergeLedgers([], paths)).toHaveLength(3)
  })

  test('a file once opened is not merely mentioned', () => {
    const opened = fact({ kind: 'file-read', text: 'a.ts', lastSeq: 1 })
    const named = fact({ kind: 'file-read', text: 'a.ts', note: 'mentioned', lastSeq: 2 })
    expect(mergeLedgers([opened], [named])[0]?.note).toBeUndefined()
  })

  test('a newer to-do list replaces the older one', () => {
    const todo = (text: string, state: string, lastSeq: number) =>
      fact({ kind: 'open-work', text, note: `todo: ${state}`, lastSeq })
    const open = fact({ kind: 'open-work', text: 'bash sleep', note: 'no result' })
    const merged = mergeLedgers([todo('one', 'pending', 1), open], [todo('two', 'pending', 2)])
    expect(merged.map(({ text }) => text).toSorted()).toEqual(['bash sleep', 'two'])
  })

  test('is bounded per kind; what the user said and what came up often stays', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => fact({ kind: 'id', text: `id_${index}`, lastSeq: index }))
    const kept = fact({ kind: 'id', text: 'ABC-1', by: 'user', lastSeq: 0 })
    const often = fact({ kind: 'id', text: 'ABC-2', count: 40, lastSeq: 0 })
    const merged = mergeLedgers([kept, often], many)
    expect(merged).toHaveLength(LEDGER_LIMITS.id)
    expect(merged).toContainEqual(kept)
    expect(merged).toContainEqual(often)
  })

  test('keeps the same facts when merged again, and in any grouping', () => {
    fc.assert(
      fc.property(arbitraryItems(6), arbitraryItems(6), arbitraryItems(6), (a, b, c) => {
        const [one, two, three] = [extractFacts(a), extractFacts(b), extractFacts(c)]
        const merged = mergeLedgers(one, two)
        expect(mergeLedgers(one, two)).toEqual(merged)
        expect(keys(mergeLedgers(merged, merged))).toEqual(keys(merged))
        expect(mergeLedgers([], merged)).toEqual(merged)
        expect(keys(mergeLedgers(mergeLedgers(one, two), three))).toEqual(
          keys(mergeLedgers(one, mergeLedgers(two, three))),
        )
      }),
    )
  })
})

describe('updateLedger', () => {
  test('a reply in a later span answers the ask of an earlier one', () => {
    const before = updateLedger([], items(user('Go'), assistant('I look', call('a')), tool(result('a'))))
    expect(before.find(({ kind }) => kind === 'latest-ask')?.note).toBeUndefined()
    const after = updateLedger(before, [at(4, assistant('Done.'))])
    expect(after.find(({ kind }) => kind === 'latest-ask')).toMatchObject({ text: 'Go', note: 'answered' })
  })

  test('ten spans keep what one held', () => {
    let ledger = updateLedger(
      [],
      items(user('Never push to main. The ticket is ABC-12, budget $500.'), assistant('ok')),
    )
    for (let span = 1; span <= 10; span += 1) {
      const seq = span * 10
      ledger = updateLedger(ledger, [
        at(seq, user(`Part ${span}: see src/part-${span}.ts`)),
        at(seq + 1, assistant(`Done ${span}.`)),
      ])
    }
    expect(ledger.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'Never push to main.',
        'ABC-12',
        '$500',
        'src/part-1.ts',
        'Never push to main. The ticket is ABC-12, budget $500.',
      ]),
    )
  })
})

function at(seq: number, message: Parameters<typeof entry>[1]) {
  return createItem(entry(seq, message))
}

function asks(words: string, seq: number) {
  return [
    fact({ kind: 'first-ask', text: words, lastSeq: seq }),
    fact({ kind: 'latest-ask', text: words, lastSeq: seq }),
  ]
}
