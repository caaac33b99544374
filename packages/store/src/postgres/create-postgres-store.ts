import type { Store } from '../port/store.ts'
import { createPostgresArtifacts } from './artifacts.ts'
import { createPostgresChanges } from './changes.ts'
import { createPostgresCheck } from './check.ts'
import { createConnectionConfig } from './database/connection-config.ts'
import type { PostgresAddress } from './database/connection-config.ts'
import { createDatabase } from './database/database.ts'
import type { DatabaseOptions } from './database/database.ts'
import { createPostgresDump } from './dump.ts'
import { createPostgresEntries } from './entries.ts'
import { createPostgresEvents } from './events.ts'
import { createPostgresInbox } from './inbox.ts'
import { createPostgresLearned } from './learned.ts'
import { createPostgresLeases } from './leases.ts'
import { createPostgresMemory } from './memory.ts'
import { migrate } from './migrations.ts'
import { createProbe } from './probe.ts'
import { createPostgresRequests } from './requests.ts'
import { createPostgresSearch } from './search.ts'
import { createPostgresSessions } from './sessions.ts'
import { createWordIndex } from './full-text/word-index.ts'

export interface PostgresStoreOptions extends PostgresAddress {
  /** Where the tables are; made if it is missing. Stores in different schemas know nothing of each other. */
  readonly schema?: string
  /** Connections at most; one more listens while somebody watches. */
  readonly poolSize?: number
  /** The server itself, where `url` leads to a pooler: such do not deliver notices. Without it, others' changes come late. */
  readonly listenUrl?: string
  /** Milliseconds since 1970, for the few times no caller hands in. Leases go by the clock of the server. */
  readonly clock?: () => number
}

/** Connects, and brings the schema up to date. Any number of processes may use it at once. */
export async function createPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { schema = 'longhaul', poolSize = 10, listenUrl, clock = Date.now } = options
  const config = createConnectionConfig(options)
  const listenConfig = listenUrl === undefined ? config : createConnectionConfig({ url: listenUrl })
  await prepareSchema({ config, schema, clock })
  const database = createDatabase({ config, schema, poolSize, clock })
  const changes = createPostgresChanges(database, listenConfig)
  const wordIndex = createWordIndex(database)
  return {
    kind: 'postgres',
    sessions: createPostgresSessions(database, changes, wordIndex),
    entries: createPostgresEntries(database, changes, wordIndex),
    inbox: createPostgresInbox(database, changes),
    leases: createPostgresLeases(database, changes),
    requests: createPostgresRequests(database),
    events: createPostgresEvents(database, changes),
    artifacts: createPostgresArtifacts(database),
    learned: createPostgresLearned(database),
    memory: createPostgresMemory(database),
    search: createPostgresSearch(database, wordIndex),
    watch: changes.watch,
    ...createPostgresDump(database, changes, wordIndex),
    ...createPostgresCheck(database),
    probe: createProbe(database),
    async close() {
      await wordIndex.close()
      await changes.close()
      await database.close()
    },
  }
}

/** A step over large tables takes as long as it takes. */
async function prepareSchema({ config, schema, clock }: Omit<DatabaseOptions, 'poolSize'>): Promise<void> {
  const database = createDatabase({ config: { ...config, query_timeout: 0 }, schema, poolSize: 1, clock })
  try {
    await migrate(database)
  } finally {
    await database.close()
  }
}
