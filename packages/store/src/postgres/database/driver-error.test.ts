import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import type { StoreErrorCode } from '../../store-error.ts'
import { DriverError, isConflict, isLost, toStoreError } from './driver-error.ts'

/** What the server answers. */
function answer(code: string, message = 'what the server says'): DriverError {
  return new DriverError(
    Object.assign(new DatabaseError(message, message.length, 'error'), { code, severity: 'ERROR' }),
  )
}

/** What happens on the way to it. */
function loss(code?: string, message = 'Connection terminated unexpectedly'): DriverError {
  return new DriverError(Object.assign(new Error(message), code === undefined ? {} : { code }))
}

const same = (text: string): string => text

describe('an error of the driver', () => {
  it.each<[state: string, code: StoreErrorCode, advice: RegExp]>([
    ['53100', 'unavailable', /disk .* full.* Free some space/],
    ['53200', 'unavailable', /short of something/],
    ['53300', 'unavailable', /no more connections.* Lower poolSize/],
    ['25006', 'unavailable', /read-only.* Connect to the primary/],
    ['28P01', 'unavailable', /password/],
    ['3D000', 'unavailable', /does not exist.* Create it/],
    ['42501', 'unavailable', /no right/],
    ['57014', 'unavailable', /statement_timeout/],
    ['57P01', 'unavailable', /shutting down or starting/],
    ['57P03', 'unavailable', /shutting down or starting/],
    ['40001', 'unavailable', /Try again/],
    ['40P01', 'unavailable', /Try again/],
    ['58030', 'unavailable', /cannot read or write its files/],
    ['99999', 'unavailable', /could not do this/],
    ['XX001', 'damaged', /restore a backup/],
    ['XX002', 'damaged', /REINDEX/],
    ['42P01', 'damaged', /table .* is gone/],
    ['23505', 'id-conflict', /taken/],
    ['23503', 'not-found', /no such session/],
    ['22021', 'invalid', /NUL/],
  ])('%s becomes %s, with what to do', (state, code, advice) => {
    const error = toStoreError(answer(state), 'writing', same)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(advice)
    expect(error.message).toContain('what the server says')
    expect(error.cause).toBeInstanceOf(DatabaseError)
  })

  it('says that the outcome is unknown only where it is', () => {
    const unknown = /cannot be told whether this was stored/
    expect(toStoreError(loss(), 'committing', same).message).toMatch(unknown)
    expect(toStoreError(loss('EPIPE'), 'committing', same).message).toMatch(unknown)
    expect(toStoreError(answer('57P01'), 'committing', same).message).toMatch(unknown)
    expect(toStoreError(answer('53100'), 'committing', same).message).not.toMatch(unknown)
    expect(toStoreError(loss(), 'writing', same).message).not.toMatch(unknown)
    expect(toStoreError(loss('ECONNREFUSED'), 'connecting', same).message).toMatch(/cannot be reached/)
  })

  it('without a message is told by its code', () => {
    const several = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
    expect(toStoreError(new DriverError(several), 'connecting', same).message).toContain('(ECONNREFUSED)')
  })

  it('counts as a conflict or as a loss, or as neither', () => {
    expect([answer('40001'), answer('40P01')].every(isConflict)).toBe(true)
    expect([answer('23505'), loss(), new Error('40001')].some(isConflict)).toBe(false)
    expect([loss(), loss('EPIPE'), answer('57P01'), answer('08006')].every(isLost)).toBe(true)
    expect([answer('57014'), answer('23505'), new TypeError('a bug')].some(isLost)).toBe(false)
  })
})
