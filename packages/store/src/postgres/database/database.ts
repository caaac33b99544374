import { setTimeout as wait } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { createConnections } from './connections.ts'
import type { Connections, Work } from './connections.ts'
import { isConflict, isLost } from './driver-error.ts'
import type { Phase } from './driver-error.ts'
import type { PreparedStatement } from './prepared-statement.ts'
import type { Change, Query } from './statements.ts'
import { checkSchemaName, nameTables } from './tables.ts'
import type { Tables } from './tables.ts'

/** What the rooms of this backend share. Whatever the driver rejects with arrives as a `StoreError`. */
export interface Database {
  readonly schema: string
  readonly tables: Tables
  /** How many statements can be under way at once. */
  readonly poolSize: number
  /** For times that no caller hands in. */
  readonly clock: () => number
  /** One statement that changes nothing: if the connection turns out to be dead, it is asked once more. */
  readonly read: Query
  /** One statement that is a transaction of its own. */
  readonly write: Query
  /** The same, for how many rows it has changed. */
  readonly change: Change
  /** All or nothing. `work` may run more than once, so it does nothing but query. */
  readonly transaction: <T>(work: Work<T>) => Promise<T>
  /** For work that cannot be run again. */
  readonly transactionOnce: <T>(work: Work<T>) => Promise<T>
  /** What `work` reads is the database as it was at one moment, however long it takes. */
  readonly snapshot: <T>(work: (query: Query) => AsyncIterable<T>) => AsyncIterable<T>
  close(): Promise<void>
}

export interface DatabaseOptions {
  readonly config: PoolConfig
  readonly schema: string
  readonly poolSize: number
  readonly clock: () => number
}

export function createDatabase({ config, schema, poolSize, clock }: DatabaseOptions): Database {
  checkSchemaName(schema)
  const connections = createConnections(config, poolSize)
  /** One statement, which the server commits by itself. */
  const commit = async <T>(work: Work<T>): Promise<T> =>
    repeatConflicts(() => connections.use(work)).catch((error: unknown) => connections.fail(error, 'committing'))
  return {
    schema,
    tables: nameTables(schema),
    poolSize,
    clock,
    read: async <Row extends object>(statement: string | PreparedStatement, values?: readonly unknown[]) => {
      const read = () => connections.use((query) => query<Row>(statement, values))
      return read()
        .catch((error: unknown) => (isLost(error) ? read() : Promise.reject(error)))
        .catch((error: unknown) => connections.fail(error, 'reading'))
    },
    write: async <Row extends object>(statement: string | PreparedStatement, values?: readonly unknown[]) =>
      commit((query) => query<Row>(statement, values)),
    change: async (statement, values) => commit((_query, change) => change(statement, values)),
    transaction: async (work) =>
      repeatConflicts(() => runTransaction(connections, work)).catch((error: unknown) =>
        connections.fail(error, 'writing'),
      ),
    transactionOnce: async (work) =>
      runTransaction(connections, work).catch((error: unknown) => connections.fail(error, 'writing')),
    snapshot: (work) => runSnapshot(connections, work),
    close: () => connections.close(),
  }
}

/** Rejects with a conflict as it is, so that whoever can may run it again. */
async function runTransaction<T>(connections: Connections, work: Work<T>): Promise<T> {
  let phase: Phase = 'writing'
  try {
    return await connections.use(async (query, change) => {
      try {
        await query('begin')
        const result = await work(query, change)
        phase = 'committing'
        await query('commit')
        return result
      } catch (error) {
        // Where this fails too, the connection is ended, which takes everything back as well.
        await query('rollback').catch(() => {})
        throw error
      }
    })
  } catch (error) {
    if (isConflict(error)) throw error
    return connections.fail(error, phase)
  }
}

async function* runSnapshot<T>(
  connections: Connections,
  work: (query: Query) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const { query, drop } = await connections.hold()
  try {
    await query('begin isolation level repeatable read read only')
    yield* work(query)
  } catch (error) {
    connections.fail(error, 'reading')
  } finally {
    drop()
  }
}

const MAX_CONFLICTS = 5

/** A deadlock or a serialization failure has stored nothing. */
async function repeatConflicts<T>(call: () => Promise<T>): Promise<T> {
  for (let conflicts = 1; ; conflicts += 1) {
    try {
      return await call()
    } catch (error) {
      if (!isConflict(error) || conflicts === MAX_CONFLICTS) throw error
      await wait(Math.random() * 10 * 2 ** conflicts)
    }
  }
}
