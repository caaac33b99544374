import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryEntries, arbitraryJunk, arbitraryRawEntry } from '../testing/arbitrary-conversation.ts'
import { assistant, call, entry, result, tool, user } from '../testing/build-conversation.ts'
import type { Entry, EntryType, UnknownEntry } from './entry.ts'
import { readEntry } from './read-entry.ts'

const identity = { seq: 7, id: 'e7', at: 7_000 }
const moved = {
  firstKept: { id: 'm4', seq: 4, at: 4_000 },
  carried: [{ id: 'm1', seq: 1 }],
  previous: { id: 'e2', seq: 2 },
  fromSeq: 4,
  tokensBefore: 90_000,
  tokensAfter: 20_000,
}

/** One valid entry of each type. */
const VALID: Readonly<{ [T in EntryType]: Extract<Entry, { type: T }> }> = {
  message: entry(7, assistant('hi', call('a')), {
    model: 'anthropic/one',
    usage: { input: 10, output: 2, costUsd: 0.5 },
    anchor: { model: 'anthropic/one', itemCount: 3, chainHash: '0123456789abcdef' },
    finish: 'error',
    failure: { code: 'provider-unavailable', message: 'The answer broke off.' },
  }),
  compaction: {
    ...identity,
    ...moved,
    type: 'compaction',
    document: {
      version: 1,
      sections: [{ title: 'Goal', items: [{ id: 'goal-1', text: 'Ship', sources: ['m1'], status: 'open' }] }],
      ledger: [{ kind: 'file-read', text: 'a.ts', by: 'tool', sources: ['m2'], count: 1, lastSeq: 2 }],
    },
    reason: 'threshold',
    strategy: 'summarize',
    model: null,
    usage: { input: 5, output: 1 },
  },
  'compaction-undone': { ...identity, type: 'compaction-undone', compaction: 'e6' },
  trim: { ...identity, ...moved, type: 'trim', reason: 'overflow', summary: null, note: null, dropped: 3 },
  reset: { ...identity, type: 'reset' },
  prune: {
    ...identity,
    type: 'prune',
    reason: 'size',
    decisions: [
      { entry: { id: 'm3', seq: 3 }, part: 0, form: 'cleared', placeholder: '[gone]' },
      { entry: { id: 'm5', seq: 5 }, part: 1, form: 'soft-trimmed', headChars: 10, tailChars: 5, note: 'cut' },
    ],
  },
  pin: { ...identity, type: 'pin', text: 'Never deploy on Friday' },
  unpin: { ...identity, type: 'unpin', pin: 'e5' },
  branch: { ...identity, type: 'branch', to: { id: 'e3', seq: 3 } },
  settings: { ...identity, type: 'settings', title: 'Trip', preset: 'micro', policy: { compaction: { retries: 2 } } },
  environment: { ...identity, type: 'environment', hash: 'abc', parts: { tools: 'def' } },
  flush: { ...identity, type: 'flush', outcome: 'silent' },
  'model-change': { ...identity, type: 'model-change', model: 'openai/two' },
  'maintenance-failed': { ...identity, type: 'maintenance-failed', work: 'compaction', reason: 'timeout' },
  bill: { ...identity, type: 'bill', work: 'title', model: 'a/b', usage: { input: 1, output: 1 } },
  interrupted: { ...identity, type: 'interrupted', toolCallIds: ['a', 'b'], allowed: ['a'] },
  unknown: { ...identity, type: 'unknown', original: { ...identity, type: 'label', label: 'x' } },
}

describe('readEntry', () => {
  it.each(Object.values(VALID))('gives a valid $type entry back as the same object', (valid) => {
    expect(readEntry(valid)).toBe(valid)
    expect(readEntry(JSON.parse(JSON.stringify(valid)))).toStrictEqual(valid)
  })

  it('gives valid messages back as the same objects', () => {
    fc.assert(
      fc.property(arbitraryEntries(), (entries) => {
        for (const valid of entries) expect(readEntry(valid)).toBe(valid)
      }),
    )
  })

  it('never throws; what it answers has its place and changes nothing when read again, also from a file', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryJunk(), arbitraryRawEntry()), (value) => {
        const read = readEntry(value)
        if (read === null) return
        expect(Object.keys(VALID)).toContain(read.type)
        expect(Number.isSafeInteger(read.seq) && read.id !== '' && Number.isFinite(read.at)).toBe(true)
        expect(readEntry(read)).toBe(read)
        const bytes = JSON.stringify(read)
        expect(JSON.stringify(readEntry(JSON.parse(bytes)))).toBe(bytes)
      }),
      { numRuns: 1_000 },
    )
  })

  it('never throws on a valid entry with one field replaced by anything', () => {
    const damage = fc
      .constantFrom(...Object.values(VALID))
      .chain((valid) => fc.record({ valid: fc.constant(valid), key: fc.constantFrom(...Object.keys(valid)) }))
    fc.assert(
      fc.property(damage, fc.anything(), ({ valid, key }, value) => {
        const read = readEntry({ ...valid, [key]: value })
        expect(readEntry(read)).toBe(read)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['a string', 'message'],
    ['a list', [identity]],
    ['no seq', { type: 'reset', id: 'e1', at: 1 }],
    ['a negative seq', { ...identity, type: 'reset', seq: -1 }],
    ['a broken seq', { ...identity, type: 'reset', seq: 1.5 }],
    ['a seq that is text', { ...identity, type: 'reset', seq: '7' }],
    ['no id', { type: 'reset', seq: 1, at: 1 }],
    ['an empty id', { ...identity, type: 'reset', id: '' }],
  ])('finds no entry in %s', (_, value) => {
    expect(readEntry(value)).toBeNull()
  })

  it('takes the start of time where the time is missing', () => {
    const { at: _, ...timeless } = VALID.reset
    expect(readEntry(timeless)).toStrictEqual({ ...VALID.reset, at: 0 })
    expect(readEntry({ ...VALID.reset, at: '2026-01-01' })).toStrictEqual({ ...VALID.reset, at: 0 })
  })

  it('survives cycles and getters that throw, and keeps what it can read', () => {
    const cyclic: Record<string, unknown> = { ...entry(7, user('hi')) }
    cyclic['self'] = cyclic
    expect(readEntry(cyclic)).toStrictEqual({ ...entry(7, user('hi')), self: '[circular]' })
    const broken = {
      ...entry(7, user('hi')),
      get parts(): never {
        throw new Error('nobody may look')
      },
    }
    expect(readEntry(broken)).toBeNull()
    expect(readEntry({ ...entry(7, user('hi')), parts: ['hi', { type: 'text', text: broken }] })).toMatchObject({
      parts: [
        { type: 'text', text: 'hi' },
        { type: 'text', text: '[unreadable value]' },
      ],
    })
  })
})

describe('readEntry: what another version wrote', () => {
  it('OPEN-01 keeps an entry of an unknown type with all its fields', () => {
    const original = { ...identity, type: 'label', target: { id: 'm1', colours: ['red'] } }
    const read = readEntry(original) as UnknownEntry
    expect(read).toStrictEqual({ ...identity, type: 'unknown', original })
    expect(read.original).toBe(original)
  })

  it('keeps unknown fields of known entries', () => {
    const message = { ...entry(7, user('hi')), mood: { colour: 'blue' } }
    expect(readEntry(message)).toBe(message)
    expect(readEntry({ ...message, parts: null })).toStrictEqual({ ...message, parts: [] })
  })

  it.each<[EntryType, string, unknown]>([
    ['compaction', 'firstKept', { id: 'm4' }],
    ['compaction', 'fromSeq', -1],
    ['compaction', 'carried', null],
    ['compaction', 'previous', undefined],
    ['compaction', 'tokensAfter', '20000'],
    ['compaction', 'document', 'a summary'],
    ['trim', 'summary', { seq: 1 }],
    ['trim', 'note', 5],
    ['trim', 'dropped', null],
    ['prune', 'decisions', 'all'],
    ['compaction-undone', 'compaction', 6],
    ['pin', 'text', ''],
    ['unpin', 'pin', null],
    ['settings', 'title', 5],
    ['settings', 'policy', 'micro'],
    ['environment', 'hash', undefined],
    ['environment', 'parts', null],
    ['flush', 'outcome', 'maybe'],
    ['flush', 'cycle', -1],
    ['model-change', 'model', 4],
    ['maintenance-failed', 'work', 'pruning'],
    ['interrupted', 'toolCallIds', [1]],
    ['unknown', 'original', 'text'],
  ])('gives a %s whose %s is %j no effect, but keeps it', (type, key, value) => {
    const damaged = { ...VALID[type], [key]: value }
    const read = readEntry(damaged) as UnknownEntry
    expect(read.type).toBe('unknown')
    expect(read.original).toStrictEqual(JSON.parse(JSON.stringify(damaged)))
  })
})

it.each([[null], ['a'], [[1]], [{ a: true }]])(
  'a damaged list of what was allowed, %j, loses no interrupted call',
  (allowed) => {
    const { allowed: _, ...rest } = VALID.interrupted
    expect(readEntry({ ...VALID.interrupted, allowed })).toStrictEqual(rest)
  },
)

it.each([
  [
    { code: 'moon-phase', message: 'Full.' },
    { code: 'internal', message: 'Full.' },
  ],
  [{ code: 'busy', message: 5 }, undefined],
  ['it broke', undefined],
])('a damaged reason %j of a failed answer is read as %j', (failure, read) => {
  const { failure: _, ...rest } = VALID.message
  const wanted = { ...rest, ...(read && { failure: read }) }
  expect(readEntry({ ...VALID.message, failure })).toStrictEqual(wanted)
})

describe('readEntry: messages', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['null parts', { parts: null }, { parts: [] }],
    ['parts that are a string', { parts: 'hi' }, { parts: [{ type: 'text', text: 'hi' }] }],
    ['an unknown role', { role: 'system' }, { role: 'user' }],
    ['half a usage', { usage: { input: 5 } }, { usage: { input: 5, output: 0 } }],
  ])('repairs %s', (_, damage, repaired) => {
    const valid = entry(7, user('hi'))
    expect(readEntry({ ...valid, ...damage })).toStrictEqual({ ...valid, ...repaired })
  })

  it.each([
    ['usage', null],
    ['usage', { input: 'many' }],
    ['anchor', { model: 'm', itemCount: -1, chainHash: '' }],
    ['approval', { allow: 'yes', by: 'person' }],
    ['approval', { allow: true, by: 'a page' }],
    ['model', 5],
    ['finish', 'exploded'],
  ])('leaves out a %s that is %j', (key, value) => {
    const valid = entry(7, assistant('hi'))
    expect(readEntry({ ...valid, [key]: value })).toStrictEqual(valid)
  })

  it('reads results in an assistant message as text, so that nothing said is lost', () => {
    const read = readEntry({ ...entry(7, tool(result('a', 'found'))), role: 'assistant' })
    expect(JSON.stringify(read)).toContain('found')
    expect(read).toMatchObject({ role: 'assistant', parts: [{ type: 'text' }] })
  })
})

describe('readEntry: compactions and prunes', () => {
  it('repairs a document and keeps the rest of the compaction', () => {
    const { compaction } = VALID
    const read = readEntry({
      ...compaction,
      document: { sections: [{ items: [{ text: 'Ship' }] }] },
      usage: { output: 3 },
    })
    expect(read).toStrictEqual({
      ...compaction,
      usage: { input: 0, output: 3 },
      document: {
        version: 1,
        sections: [{ title: '', items: [{ id: 'item-1-1', text: 'Ship', sources: [], status: 'open' }] }],
      },
    })
  })

  it('drops prune decisions it cannot carry out and keeps the others', () => {
    const { prune } = VALID
    const [cleared] = prune.decisions
    const wrong = [
      null,
      { ...cleared, form: 'vanished' },
      { ...cleared, placeholder: 5 },
      { ...cleared, part: -1 },
      { ...cleared, entry: 'm3' },
    ]
    expect(readEntry({ ...prune, decisions: [...wrong, ...prune.decisions] })).toStrictEqual(prune)
  })
})
