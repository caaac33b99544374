import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createPostgresStore } from '../create-postgres-store.ts'
import { StoreError } from '../../store-error.ts'
import { createConnectionConfig, hidePassword } from './connection-config.ts'

const PASSWORD = 'hunter2-secret'

describe('a password', () => {
  it.each([
    ['an address that is no URL', `postgres://user:${PASSWORD}@[nonsense/db`],
    ['a port that is no number', `postgres://user:${PASSWORD}@host:port/db`],
    ['a slash in the password', `postgres://user:12/${PASSWORD}@host/db`],
    ['a number sign in the password', `postgres://user:#${PASSWORD}@host/db`],
    ['a question mark in the password', `postgres://user:?${PASSWORD}@host/db`],
    ['a server that is not there', `postgres://user:${PASSWORD}@127.0.0.1:1/db`],
    ['a host that is not there', `postgres://user:${PASSWORD}@nowhere.invalid/db`],
    ['a socket that is not there', `postgres://user:${PASSWORD}@%2Fnowhere/db`],
    ['a password as a parameter', `postgres://127.0.0.1:1/db?password=${PASSWORD}`],
  ])('is never shown: %s', async (_what, url) => {
    const error: unknown = await createPostgresStore({ url }).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(StoreError)
    expect((error as StoreError).code).toMatch(/^(invalid|unavailable)$/)
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2')
  })

  it('is taken out of texts of others, encoded or not', () => {
    const config = createConnectionConfig({ url: 'postgres://user:p%40ss%2Fword@host/db' })
    expect(hidePassword('no p@ss/word here, nor p%40ss%2Fword', config)).toBe('no *** here, nor ***')
  })

  it('that is the name of the user as well leaves messages readable', () => {
    const config = createConnectionConfig({ url: 'postgres://postgres:postgres@host/db' })
    expect(hidePassword('role "postgres" does not exist', config)).toBe('role "postgres" does not exist')
  })
})

describe('numbers of 64 bits', () => {
  it('are read as numbers on our own connections alone', async () => {
    const { types } = createConnectionConfig({ url: 'postgres://localhost/x' })
    const { default: pg } = await import('pg')
    expect(types?.getTypeParser(20)('42')).toBe(42)
    expect(pg.types.getTypeParser(20)('42')).toBe('42')
  })
})
