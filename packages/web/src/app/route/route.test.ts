import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRoute, writeRoute } from './route.ts'

describe('addresses', () => {
  it('lead back to what they were made of', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        expect(readRoute(writeRoute({ page: 'session', id }))).toEqual({ page: 'session', id })
      }),
    )
    expect(readRoute(writeRoute({ page: 'memory' }))).toEqual({ page: 'memory' })
    expect(readRoute(writeRoute({ page: 'audit' }))).toEqual({ page: 'audit' })
    expect(readRoute(writeRoute({ page: 'new' }))).toEqual({ page: 'new' })
  })

  it.each(['', '#', '#/nonsense', '#/s/', '#/s/%E0%A4%A', '#/s/a/b'])('%j is a new chat', (hash) => {
    expect(readRoute(hash)).toEqual({ page: 'new' })
  })
})
