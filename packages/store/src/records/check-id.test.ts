import { describe, expect, it } from 'vitest'
import { checkId, checkNewId } from './check-id.ts'

describe('checkId', () => {
  it('takes any script and refuses what breaks notices and columns', () => {
    for (const id of ['a', '東京', '🦊', 'a/b', "o'neil", 'x'.repeat(200), '..'])
      expect(() => checkId(id, 'session')).not.toThrow()
    for (const id of ['', 'a\nb', '\u0000', '\u007f', '\ud800', 'x'.repeat(201)]) {
      expect(() => checkId(id, 'session')).toThrow(/A session id must be/)
    }
  })
})

describe('checkNewId', () => {
  it('refuses besides what an address takes for a step', () => {
    for (const id of ['a', '...', '..a', 'a/..', '. ', '%2e%2e']) expect(() => checkNewId(id, 'session')).not.toThrow()
    for (const id of ['.', '..']) expect(() => checkNewId(id, 'session')).toThrow(/neither \. nor \.\./)
    expect(() => checkNewId('', 'session')).toThrow(/A session id must be/)
  })
})
