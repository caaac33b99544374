import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryJunk } from '../testing/arbitrary-conversation.ts'
import { readSummaryDocument } from './read-summary-document.ts'
import type { LedgerFact, SummaryDocument } from './summary-document.ts'

const fact: LedgerFact = { kind: 'url', text: 'https://a.b', by: 'user', sources: ['m1'], count: 2, lastSeq: 9 }
const document: SummaryDocument = {
  version: 1,
  sections: [
    { title: '', items: [{ id: 's1', text: 'Prose', sources: [], status: 'open' }] },
    { title: 'Done', items: [{ id: 's2', text: 'Tests', sources: ['m1', 'm2'], status: 'done' }] },
  ],
  ledger: [fact, { ...fact, kind: 'command', text: 'npm test', note: 'exit 1', by: 'tool' }],
}

describe('readSummaryDocument', () => {
  it('gives a valid document back as the same object', () => {
    const { ledger: _, ...withoutLedger } = document
    expect(readSummaryDocument(document)).toBe(document)
    expect(readSummaryDocument(withoutLedger)).toBe(withoutLedger)
  })

  it.each<[unknown]>([[null], ['prose'], [{}], [{ version: 1, sections: 'none' }], [[document]]])(
    'finds no document in %j',
    (value) => {
      expect(readSummaryDocument(value)).toBeNull()
    },
  )

  it('repairs items and keeps every text, under ids that differ', () => {
    const damaged = {
      version: 2,
      sections: [
        { title: 5, items: [{ text: 'a' }, { text: 'b', status: 'done', sources: ['m1', 7] }] },
        { title: 'T', items: [{ text: 'c' }, { id: 's9', text: 'd' }, { id: 'no text' }, null] },
        { title: 'empty', items: null },
        'section',
      ],
    }
    expect(readSummaryDocument(damaged)).toStrictEqual({
      version: 1,
      sections: [
        {
          title: '',
          items: [
            { id: 'item-1-1', text: 'a', sources: [], status: 'open' },
            { id: 'item-1-2', text: 'b', sources: ['m1'], status: 'done' },
          ],
        },
        {
          title: 'T',
          items: [
            { id: 'item-2-1', text: 'c', sources: [], status: 'open' },
            { id: 's9', text: 'd', sources: [], status: 'open' },
          ],
        },
        { title: 'empty', items: [] },
      ],
    })
  })

  it('keeps the ledger of a document whose sections it had to repair', () => {
    expect(readSummaryDocument({ ...document, sections: [null] })).toStrictEqual({ ...document, sections: [] })
  })

  it('keeps the facts that are facts', () => {
    const wrong = [null, 'fact', { ...fact, kind: 'rumour' }, { ...fact, by: 'nobody' }, { ...fact, sources: [1] }]
    expect(readSummaryDocument({ ...document, ledger: [fact, ...wrong] })).toStrictEqual({
      ...document,
      ledger: [fact],
    })
    expect(readSummaryDocument({ ...document, ledger: 'none' })?.ledger).toBeUndefined()
  })

  it('never throws, and changes nothing the second time', () => {
    const item = fc.oneof(fc.anything(), fc.record({ id: fc.string(), text: fc.string() }))
    const section = fc.oneof(fc.anything(), fc.record({ title: fc.string(), items: fc.array(item) }))
    const raw = fc.record({ sections: fc.array(section), ledger: fc.anything() }, { requiredKeys: ['sections'] })
    fc.assert(
      fc.property(fc.oneof(arbitraryJunk(), raw), (value) => {
        const read = readSummaryDocument(value)
        expect(readSummaryDocument(read)).toBe(read)
      }),
    )
  })
})
