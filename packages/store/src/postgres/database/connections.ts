import pg from 'pg'
import type { PoolClient, PoolConfig } from 'pg'
import { StoreError } from '../../store-error.ts'
import { hidePassword } from './connection-config.ts'
import { DriverError, isLost, isUnprepared, toStoreError } from './driver-error.ts'
import type { Phase } from './driver-error.ts'
import { createStatements } from './statements.ts'
import type { Change, Query, Statements } from './statements.ts'

/** Something to do on a connection. */
export type Work<T> = (query: Query, change: Change) => Promise<T>

/** A connection kept for longer than one call. */
interface HeldConnection {
  readonly query: Query
  /** Ends the connection, and with it whatever it was at. */
  readonly drop: () => void
}

/** A pool that recovers by itself: a connection that has died, or is left inside a transaction, is not used again. */
export interface Connections {
  /** `work` may run twice, if it uses prepared statements and the first try shows that they cannot be used. */
  readonly use: <T>(work: Work<T>) => Promise<T>
  readonly hold: () => Promise<HeldConnection>
  /** Throws what the caller is to be told. */
  fail(error: unknown, phase: Phase): never
  /** Waits for calls under way and drops what is held. Closing twice is allowed. */
  readonly close: () => Promise<void>
}

export function createConnections(config: PoolConfig, poolSize: number): Connections {
  const pool = new pg.Pool({ ...config, max: poolSize })
  // Whoever was using a connection that dies hears of it by the call itself.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const underWay = new Set<Promise<unknown>>()
  const held = new Set<HeldConnection>()
  const prepares = { isAllowed: true }
  let closing: Promise<void> | null = null

  const fail = (error: unknown, phase: Phase): never => {
    if (!(error instanceof DriverError)) throw error
    throw closing === null ? toStoreError(error, phase, (text) => hidePassword(text, config)) : closedError()
  }
  const connect = async (): Promise<PoolClient> => {
    if (closing !== null) throw closedError()
    try {
      return await pool.connect()
    } catch (error) {
      return fail(new DriverError(error), 'connecting')
    }
  }
  const track = async <T>(call: Promise<T>): Promise<T> => {
    underWay.add(call)
    try {
      return await call
    } finally {
      underWay.delete(call)
    }
  }
  const attempt = async <T>(work: Work<T>): Promise<T> => {
    const client = await connect()
    return useOnce(client, createStatements(client, prepares), work)
  }
  const holdOne = async (): Promise<HeldConnection> => {
    const client = await connect()
    const connection: HeldConnection = {
      query: createStatements(client, prepares).query,
      drop: () => {
        if (held.delete(connection)) client.release(true)
      },
    }
    held.add(connection)
    return connection
  }
  const end = async (): Promise<void> => {
    // Ending the pool would forget those who still wait for a connection.
    await Promise.allSettled(underWay)
    for (const connection of held) connection.drop()
    await pool.end()
  }

  return {
    async use(work) {
      const call = attempt(work).catch((error: unknown) => {
        if (!isUnprepared(error)) throw error
        // There is a pooler between us and the server that does not keep track of statements: do without.
        prepares.isAllowed = false
        return attempt(work)
      })
      return track(call)
    },
    hold: () => track(holdOne()),
    fail,
    async close() {
      closing ??= end()
      await closing
    },
  }
}

async function useOnce<T>(client: PoolClient, { query, change }: Statements, work: Work<T>): Promise<T> {
  let isUsable = true
  try {
    return await work(query, change)
  } catch (error) {
    isUsable = !isLost(error) && client.getTransactionStatus() === 'I'
    throw error
  } finally {
    client.release(!isUsable)
  }
}

function closedError(): StoreError {
  return new StoreError('closed', 'The store was closed. Open it again.')
}
