import type { DatabaseSync } from 'node:sqlite'

export interface DriverOptions {
  readonly readOnly?: boolean
  /** The milliseconds that SQLite itself waits for a lock. */
  readonly timeout?: number
}

/** The part of `bun:sqlite` that is used here. */
export interface BunSqlite {
  readonly Database: new (file: string, options: Readonly<Record<string, boolean>>) => BunDatabase
}

interface BunDatabase {
  readonly inTransaction: boolean
  prepare(sql: string): UsedStatement & { finalize(): void }
  exec(sql: string): unknown
  close(): void
}

/** The members of Node's driver that the store uses. */
interface UsedStatement {
  all(...values: readonly unknown[]): unknown
  get(...values: readonly unknown[]): unknown
  run(...values: readonly unknown[]): unknown
  iterate(...values: readonly unknown[]): Iterable<unknown>
}

type UsedDatabase = Pick<DatabaseSync, 'isOpen' | 'isTransaction' | 'exec' | 'close'> & {
  prepare(sql: string): UsedStatement
}

/**
 * A database of Bun behind the interface of Node's driver: programs such as opencode embed a Bun without `node:sqlite`.
 * One thing differs: Bun takes U+FEFF or U+FFFE at the very start of a stored text for a mark of its byte order. Texts
 * of messages are stored inside JSON, so that only a session's title can lose it.
 */
export function openBunDatabase(
  { Database }: BunSqlite,
  file: string,
  { readOnly = false, timeout = 0 }: DriverOptions,
): DatabaseSync {
  const mode = readOnly ? { readonly: true } : { readwrite: true, create: true }
  const database = asNode(() => new Database(file, { ...mode, strict: true }))
  let isOpen = true

  function whileOpen<T>(work: () => T): T {
    if (!isOpen) throw Object.assign(new Error('database is not open'), { code: 'ERR_INVALID_STATE' })
    return asNode(work)
  }

  const opened: UsedDatabase = {
    get isOpen() {
      return isOpen
    },
    get isTransaction() {
      return isOpen && database.inTransaction
    },
    exec: (sql) => void whileOpen(() => database.exec(sql)),
    prepare(sql) {
      const statement = whileOpen(() => database.prepare(sql))
      return {
        all: (...values) => whileOpen(() => statement.all(...values)),
        get: (...values) => whileOpen(() => statement.get(...values) ?? undefined),
        run: (...values) => whileOpen(() => statement.run(...values)),
        iterate: (...values) => whileOpen(() => iterateOnce(database, sql, values)),
      }
    },
    close() {
      whileOpen(() => database.close())
      isOpen = false
    },
  }
  opened.exec(`PRAGMA busy_timeout = ${timeout}`)
  return opened as unknown as DatabaseSync
}

/** A statement of its own each time: Bun does not reset one whose loop was left early, and refuses to run it again. */
function* iterateOnce(database: BunDatabase, sql: string, values: readonly unknown[]): Iterable<unknown> {
  const statement = asNode(() => database.prepare(sql))
  try {
    yield* statement.iterate(...values)
  } catch (error) {
    throw nameResult(error)
  } finally {
    statement.finalize()
  }
}

function asNode<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw nameResult(error)
  }
}

/** SQLite's result code is `errno` in Bun's errors and `errcode` in those of Node. */
function nameResult(error: unknown): unknown {
  return error instanceof Error && 'errno' in error ? Object.assign(error, { errcode: error.errno }) : error
}
