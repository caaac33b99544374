import { describe, expect, it } from 'vitest'
import { StoreError } from '../../store-error.ts'
import { isBusy, toStoreError } from './sqlite-error.ts'

describe('errors of SQLite and of the file system', () => {
  it.each([
    ['SQLITE_BUSY', 5, 'unavailable', 'locked'],
    ['SQLITE_BUSY_SNAPSHOT', 517, 'unavailable', 'locked'],
    ['SQLITE_LOCKED', 6, 'unavailable', 'locked'],
    ['SQLITE_READONLY', 8, 'unavailable', 'write'],
    ['SQLITE_READONLY_DBMOVED', 1032, 'unavailable', 'write'],
    ['SQLITE_IOERR_FSYNC', 1034, 'unavailable', 'disk'],
    ['SQLITE_CORRUPT', 11, 'damaged', 'backup'],
    ['SQLITE_FULL', 13, 'unavailable', 'full'],
    ['SQLITE_CANTOPEN', 14, 'unavailable', 'folder'],
    ['SQLITE_TOOBIG', 18, 'invalid', 'cannot be stored'],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', 787, 'not-found', 'not there'],
    ['SQLITE_CONSTRAINT_NOTNULL', 1299, 'invalid', 'cannot be stored'],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', 1555, 'id-conflict', 'another'],
    ['SQLITE_CONSTRAINT_UNIQUE', 2067, 'id-conflict', 'another'],
    ['SQLITE_NOTADB', 26, 'damaged', 'backup'],
    ['SQLITE_ERROR', 1, 'unavailable', 'asked'],
  ])('%s becomes a code and advice', (name, errcode, code, word) => {
    const cause = Object.assign(new Error(name), { code: 'ERR_SQLITE_ERROR', errcode })
    const error = toStoreError(cause, '/data/longhaul.db')
    expect(error).toBeInstanceOf(StoreError)
    expect(error).toMatchObject({ code, message: expect.stringContaining(word), cause })
    expect(isBusy(cause)).toBe([5, 6].includes(errcode & 0xff))
  })

  it.each([
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EACCES', 'Let this user write'],
    ['EROFS', 'Let this user write'],
    ['EIO', 'EIO'],
  ])('%s names the file and what to do', (code, word) => {
    const cause = Object.assign(new Error(code), { code, syscall: 'open', path: '/data/artifact' })
    const error = toStoreError(cause, '/data/longhaul.db')
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining(word), cause })
    expect((error as Error).message).toContain('/data/artifact')
  })

  it('others stay what they are', () => {
    const known = new StoreError('lease-lost', 'x')
    const unknown = new TypeError('x')
    expect([toStoreError(known, ''), toStoreError(unknown, ''), toStoreError('x', '')]).toEqual([known, unknown, 'x'])
    expect(toStoreError(Object.assign(new Error('x'), { code: 'ERR_INVALID_STATE' }), '')).toMatchObject({
      code: 'closed',
    })
    expect(toStoreError(Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' }), '')).toMatchObject({
      code: 'invalid',
    })
  })
})
