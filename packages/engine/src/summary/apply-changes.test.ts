import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepFreeze } from '../testing/deep-freeze.ts'
import type { SummaryDocument, SummaryItem } from '../transcript/summary-document.ts'
import { applyChanges } from './apply-changes.ts'
import { addProse, applyReply } from './apply-reply.ts'
import type { DocumentChange } from './change-lines.ts'
import { createProseDocument, renderDocument } from './render-document.ts'

const item = (id: string, text: string, status: SummaryItem['status'] = 'open'): SummaryItem => ({
  id,
  text,
  sources: ['m1'],
  status,
})
const DOCUMENT: SummaryDocument = deepFreeze({
  version: 1,
  sections: [
    { title: 'Decisions', items: [item('i1', 'We use SQLite.'), item('i2', 'No ORM.')] },
    { title: 'Open work', items: [item('i3', 'Write the parser.')] },
  ],
})
const sources = [
  { id: 'aaa', seq: 7 },
  { id: 'bbb', seq: 8 },
  { id: 'ccc', seq: 9 },
]
const itemsOf = (document: SummaryDocument) => document.sections.flatMap(({ items }) => items)
const change = (reply: string, document = DOCUMENT) => applyReply(document, reply, { sources })

describe('applyChanges', () => {
  test('adds, updates and closes; cites what it was told', () => {
    const next = change(
      '+ Decisions: Tests first. (#8)\n~ i2: No ORM, plain SQL. (#7, #9)\nx i3\n+ Files: a.ts changed',
    )
    expect(next.sections).toEqual([
      {
        title: 'Decisions',
        items: [
          item('i1', 'We use SQLite.'),
          { id: 'i2', text: 'No ORM, plain SQL.', sources: ['m1', 'aaa', 'ccc'], status: 'open' },
          { id: 'i4', text: 'Tests first.', sources: ['bbb'], status: 'open' },
        ],
      },
      { title: 'Open work', items: [item('i3', 'Write the parser.', 'done')] },
      { title: 'Files', items: [{ id: 'i5', text: 'a.ts changed', sources: ['aaa', 'ccc'], status: 'open' }] },
    ])
  })

  test('an update of an id nobody knows is an addition', () => {
    expect(itemsOf(change('~ i99: Something new.')).at(-1)).toMatchObject({ id: 'i4', text: 'Something new.' })
  })

  test('what is told again changes nothing, or the item it repeats', () => {
    expect(change('+ Decisions: We use SQLite.').sections[0]).toBe(DOCUMENT.sections[0])
    const long = applyReply(DOCUMENT, '+ State: The parser reads all nine sections and 3 of 12 tests still fail.', {
      sources,
    })
    const again = applyReply(long, '+ State: The parser reads all nine sections and 2 of 12 tests still fail.', {
      sources,
    })
    expect(itemsOf(again).filter(({ text }) => text.startsWith('The parser'))).toHaveLength(1)
    expect(renderDocument(again)).toContain('2 of 12')
    const other = applyReply(
      long,
      '+ State: The parser reads all nine sections and src/b.ts has 12 tests still fail.',
      { sources },
    )
    expect(itemsOf(other).filter(({ text }) => text.startsWith('The parser'))).toHaveLength(2)
  })

  test('a document given back, or a word that nothing changed, changes nothing', () => {
    expect(change(renderDocument(DOCUMENT, { ids: true }))).toEqual(DOCUMENT)
    for (const reply of ['No changes.', 'none', 'Nothing to change', '没有变化。']) expect(change(reply)).toBe(DOCUMENT)
  })

  test('secrets do not come in by prose', () => {
    expect(renderDocument(change('+ Access: password=hunter22'))).toContain('password=[redacted]')
    expect(renderDocument(change('The key is sk-proj-1234567890abcdefgh.'))).toContain('[redacted]')
  })

  test('untouched items stay the same objects through any number of changes; ids stay unique', () => {
    const anyChange: fc.Arbitrary<DocumentChange> = fc.oneof(
      fc.record({
        action: fc.constant('add'),
        section: fc.constantFrom('Decisions', 'Other', ''),
        text: fc.lorem(),
        references: fc.constant<string[]>([]),
      }),
      fc.record({
        action: fc.constant('update'),
        id: fc.constantFrom('i2', 'i3', 'i7', 'zz'),
        text: fc.lorem(),
        references: fc.constant(['#8']),
        line: fc.lorem(),
      }),
      fc.record({ action: fc.constant('close'), id: fc.constantFrom('i2', 'i3', 'i8'), line: fc.lorem() }),
    )
    fc.assert(
      fc.property(fc.array(fc.array(anyChange, { maxLength: 6 }), { maxLength: 12 }), (rounds) => {
        let document = DOCUMENT
        for (const changes of rounds) {
          const next = applyChanges(deepFreeze(document), changes, { sources })
          const named = new Set(changes.flatMap((made) => (made.action === 'add' ? [] : [made.id])))
          const texts = new Set(itemsOf(next))
          const isRepeated = changes.some(
            (made) => made.action === 'add' || !itemsOf(document).some(({ id }) => id === made.id),
          )
          const untouched = itemsOf(document).filter(({ id }) => !named.has(id) && !isRepeated)
          expect(untouched.every((before) => texts.has(before))).toBe(true)
          expect(itemsOf(next)[0]).toBe(itemsOf(DOCUMENT)[0])
          const ids = itemsOf(next).map(({ id }) => id)
          expect(new Set(ids).size).toBe(ids.length)
          document = next
        }
      }),
    )
  })
})

describe('addProse', () => {
  test('prose is one more item; earlier sections and the ledger stay', () => {
    const next = change('The user wanted a parser. It was written.')
    expect(next.sections[0]).toEqual({
      title: '',
      items: [
        {
          id: 'summary',
          text: 'The user wanted a parser. It was written.',
          sources: ['aaa', 'bbb', 'ccc'],
          status: 'open',
        },
      ],
    })
    expect(next.sections.slice(1)).toEqual(DOCUMENT.sections)
  })

  test('of more than three the oldest comes down to its most telling sentences', () => {
    let document = createProseDocument('Hello there. The parser in `src/a.ts` was fixed, 12 tests pass. Thanks.', [
      'm1',
    ])
    for (const prose of ['Two.', 'Three.', 'Four.']) document = addProse(document, prose, { sources })
    expect(renderDocument(document)).toBe(
      'Earlier (done, unless marked open):\n- The parser in `src/a.ts` was fixed, 12 tests pass.\n\nTwo.\n\nThree.\n\nFour.',
    )
    expect(new Set(itemsOf(document).map(({ id }) => id)).size).toBe(4)
  })

  test('the same prose again changes nothing', () => {
    const document = createProseDocument('All is said.', ['m1'])
    expect(addProse(document, ' All is said. ', { sources })).toBe(document)
  })
})
