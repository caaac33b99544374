import pg from 'pg'
import type { ClientConfig, PoolConfig } from 'pg'
import { StoreError } from '../../store-error.ts'

/** How a store is reached: by an address, or by what `pg` takes (a password that changes, certificates). */
export interface PostgresAddress {
  /** `postgres://user:password@host:5432/database`, with what `pg` understands behind a `?`. */
  readonly url?: string
  readonly connection?: ClientConfig
}

const INT8_TYPE_ID = 20
const CONNECT_TIMEOUT_MS = 10_000
/** A server that has stopped to answer looks like a slow one. Ending the connection tells the caller within a minute. */
const ANSWER_TIMEOUT_MS = 60_000
const KEEP_ALIVE_AFTER_MS = 10_000

/**
 * For a pool or a single connection of our own. Whole numbers of 64 bits are read as numbers here and nowhere else:
 * other users of `pg` in this process keep theirs. No setting is sent to the server, because poolers refuse those.
 */
export function createConnectionConfig(address: PostgresAddress): PoolConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8_TYPE_ID, Number)
  const config = {
    fallback_application_name: 'longhaul',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    ...address.connection,
    ...(address.url === undefined ? {} : { connectionString: address.url }),
    types,
  }
  checkAddress(address, config)
  return config
}

/** Takes the password out of a text that was not written here. */
export function hidePassword(text: string, config: ClientConfig): string {
  const { password, user, database } = new pg.Client(config)
  if (typeof password !== 'string' || password === '' || password === user || password === database) return text
  return text.replaceAll(password, '***').replaceAll(encodeURIComponent(password), '***')
}

/** Neither the address nor an error about it may show the password: so no cause is kept here. */
function checkAddress({ url, connection }: PostgresAddress, config: ClientConfig): void {
  if ((url === undefined) === (connection === undefined)) {
    throw new StoreError('invalid', 'PostgreSQL needs either an address or the settings of a connection.')
  }
  if (url !== undefined && !/^postgres(ql)?:\/\//i.test(url)) {
    throw new StoreError('invalid', 'The address of PostgreSQL must begin with postgres://.')
  }
  const problem = findProblem(config)
  if (problem !== null) {
    throw new StoreError(
      'invalid',
      `The address of PostgreSQL cannot be read: ${problem}. Write it as postgres://user:password@host:5432/database, and percent-encode what is special in the password.`,
    )
  }
}

function findProblem(config: ClientConfig): string | null {
  try {
    const { port, database, user } = new pg.Client(config)
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return 'its port is no number'
    // A password with a slash in it makes the rest of it and the host the name of the database, which else is the user's.
    return database !== user && database?.includes('@') === true ? 'an @ stands behind its host' : null
  } catch {
    return 'it is no URL'
  }
}
