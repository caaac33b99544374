import { describe, expect, it } from 'vitest'
import type { Append } from '../port/entries.ts'
import { START_AT, numberLines, user } from '../testing/build-entries.ts'
import { checkAppend, checkNewSession } from './check-append.ts'
import { foldHead } from './describe-session.ts'

const entries = numberLines([user('one'), user('two'), user('three')])
const head = foldHead(entries)
const lease = { sessionId: 's1', token: 1, ownerId: 'owner' }

function refusal(append: Partial<Append>): unknown {
  try {
    checkAppend({ lease, entries, head, ...append })
    return undefined
  } catch (error) {
    return error
  }
}

describe('checkAppend', () => {
  it('lets through what can be stored', () => {
    expect(refusal({})).toBeUndefined()
    expect(refusal({ entries: entries.slice(1) })).toBeUndefined()
    expect(refusal({ entries: [] })).toBeUndefined()
  })

  it('refuses gaps, ids that come twice and a head of other entries', () => {
    const [first, second, third] = entries
    if (first === undefined || second === undefined || third === undefined) throw new Error('three entries')
    expect(refusal({ entries: [first, third] })).toMatchObject({ code: 'out-of-order' })
    expect(refusal({ entries: [second, first] })).toMatchObject({ code: 'out-of-order' })
    expect(refusal({ entries: [first, second, { ...third, id: 'e1' }] })).toMatchObject({ code: 'id-conflict' })
    expect(refusal({ entries: [first, second, { ...third, id: '' }] })).toMatchObject({ code: 'invalid' })
    expect(refusal({ head: foldHead([]) })).toMatchObject({ code: 'invalid' })
  })
})

describe('checkNewSession', () => {
  it('wants an id, a time and entries from 1 on', () => {
    expect(() => checkNewSession({ id: 's1', createdAt: START_AT, entries })).not.toThrow()
    expect(() => checkNewSession({ id: 's1', createdAt: -1 })).not.toThrow()
    expect(() => checkNewSession({ id: '', createdAt: START_AT })).toThrow(/1 to 200 characters/)
    expect(() => checkNewSession({ id: 's1', createdAt: 1.5 })).toThrow(/time of creation/)
    expect(() => checkNewSession({ id: 's1', createdAt: START_AT, entries: entries.slice(1) })).toThrow(/but 1 is next/)
  })
})
