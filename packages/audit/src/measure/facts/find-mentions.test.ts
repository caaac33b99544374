import { describe, expect, it } from 'vitest'
import { createMentionFinder } from './find-mentions.ts'
import { createPrintedCheck } from './find-printed.ts'

const findMentions = createMentionFinder()

function factsIn(text: string): readonly string[] {
  const found: string[] = []
  findMentions(text, true, ({ kind, text: name }) => {
    if (kind !== null) found.push(`${kind} ${name}`)
  })
  return [...new Set(found)]
}

function keyOf(text: string): string | undefined {
  let key: string | undefined
  findMentions(text, true, (mention) => {
    if (mention.kind !== null) key ??= mention.key
  })
  return key
}

describe('createMentionFinder', () => {
  it.each([
    ['The tenant is TC-48213, not HAT136.', ['code TC-48213', 'code HAT136']],
    ['It listens on port 4173 and PORT=8443 is taken.', ['number 4173', 'number 8443']],
    [
      'Ask ana@example.org, or see https://wiki.example.org/keys?id=7.',
      ['address ana@example.org', 'address https://wiki.example.org/keys?id=7'],
    ],
    ['We need postgres v16.2.1 and commit 3fa9c21d.', ['number 16.2.1', 'code 3fa9c21d']],
    [
      'The tenant code is ORION-7, its region: eu-north, the flag NORTHWIND.',
      ['code ORION-7', 'code eu-north', 'code NORTHWIND'],
    ],
    ['{"tenant": "kestrel-9"}', ['code kestrel-9']],
    ['Change `loadKeys` in src/keys/load-table.ts:120:7.', ['identifier loadKeys', 'path src/keys/load-table.ts']],
    ['He said “keep the blue door shut” to Ana Ruiz.', ['quote keep the blue door shut', 'name Ana Ruiz']],
    ['请看src/load-table.ts，编号是 KX-9921。', ['path src/load-table.ts', 'code KX-9921']],
    ['Порт 4173 указан в файле конфиг/таблица-ключей.yaml', ['number 4173', 'path конфиг/таблица-ключей.yaml']],
    ['["C:\\\\work\\\\load-table.ts"]', ['path load-table.ts']],
  ])('finds what is rare in %s', (text, facts) => {
    expect(factsIn(text)).toEqual(facts)
  })

  it.each([
    ['It is true: 1 of 12, 100 or 2024, in src and on the read-only host.'],
    ['JavaScript, TypeScript and README are well-known; so is package.json, utf-8 and console.log.'],
    ['It took 200ms, 12px, 3.5s and 80% of 4096 bytes; see step12 and v2.'],
    ['Call addEventListener, catch the TypeError, and go on.'],
    ['Next Steps\nKey Changes\nThe port is open.'],
  ])('finds nothing in %s', (text) => {
    expect(factsIn(text)).toEqual([])
  })

  it('gives all spellings of a name one key', () => {
    expect(keyOf('loadTable')).toBe(keyOf('load_table'))
    expect(keyOf('/srv/app/src/load-table.ts')).toBe(keyOf('see ./load-table.ts.'))
    expect(keyOf('see https://example.org/a/b/')).toBe(keyOf('http://example.org/a/b.'))
  })
})

describe('createPrintedCheck', () => {
  const isPrinted = (text: string, word: string): boolean => createPrintedCheck(text)(text.indexOf(word))

  it('tells what a program printed from what somebody says', () => {
    const text =
      'Look at this, please:\n```\nerror in tc_48213\n```\n  12| const limit = readLimit(7)\nThe tenant is tc_77.'
    expect(isPrinted(text, 'Look')).toBe(false)
    expect(isPrinted(text, 'tc_48213')).toBe(true)
    expect(isPrinted(text, 'readLimit')).toBe(true)
    expect(isPrinted(text, 'tc_77')).toBe(false)
  })

  it('takes what follows a label, and what stands between banners, as printed', () => {
    expect(isPrinted('Run it.\n[tool output]\nAll went well with KV-1.', 'KV-1')).toBe(true)
    const report = 'Here:\n======== tests start ========\nplugin kv-3\n======== 1 passed ========\nFine, kv-4.'
    expect(isPrinted(report, 'kv-3')).toBe(true)
    expect(isPrinted(report, 'kv-4')).toBe(false)
  })
})
