import type { Database } from './database.ts'

interface AgedTable {
  readonly table: string
  /** The other column of its primary key, beside `session_key`. */
  readonly key: string
  /** The time that counts. */
  readonly column: string
  /** The row with the highest key of each session stays. */
  readonly keepsNewest?: boolean
}

const ROWS_AT_ONCE = 500

/** Deletes what is older than a time, a little at a time: a table of any size must not stop the process. */
export function prepareDeleteOld(
  db: Database,
  { table, key, column, keepsNewest = false }: AgedTable,
): (before: number) => Promise<number> {
  const newest = `(SELECT max(${key}) FROM ${table} AS every WHERE every.session_key = ${table}.session_key)`
  const statement = db.connection.prepare(
    `DELETE FROM ${table} WHERE (session_key, ${key}) IN
     (SELECT session_key, ${key} FROM ${table} WHERE ${column} < ?${keepsNewest ? ` AND ${key} < ${newest}` : ''} LIMIT ${ROWS_AT_ONCE})`,
  )
  return async (before) => {
    let total = 0
    for (;;) {
      const deleted = Number(await db.write(() => statement.run(before).changes))
      total += deleted
      if (deleted < ROWS_AT_ONCE) return total
    }
  }
}
