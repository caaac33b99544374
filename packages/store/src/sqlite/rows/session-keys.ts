import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../store-error.ts'

/** Sessions are called by their id outside, and by a number in every table. */
export interface SessionKeys {
  /** null: there is no such session. */
  find(id: string): number | null
  /** Throws `not-found`. */
  get(id: string): number
}

export function createSessionKeys(connection: DatabaseSync): SessionKeys {
  const select = connection.prepare('SELECT key, id FROM sessions WHERE id = ?')

  function find(id: string): number | null {
    const row = select.get(id) as { readonly key: number; readonly id: string } | undefined
    // SQLite reads half a character as another one.
    return row?.id === id ? row.key : null
  }

  return {
    find,
    get(id) {
      const key = find(id)
      if (key === null) throw new StoreError('not-found', `There is no session ${id}.`)
      return key
    },
  }
}
