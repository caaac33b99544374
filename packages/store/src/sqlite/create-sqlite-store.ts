import { resolve } from 'node:path'
import type { Store } from '../port/store.ts'
import { createSqliteArtifacts } from './artifacts.ts'
import { checkDatabase } from './check.ts'
import { createArtifactContents } from './contents/artifact-contents.ts'
import { createArtifactFiles } from './contents/artifact-files.ts'
import { openDatabase } from './database/database.ts'
import { dumpDatabase } from './dump.ts'
import { createSqliteEntries } from './entries.ts'
import { createSqliteEvents } from './events.ts'
import { createSqliteInbox } from './inbox.ts'
import { createSqliteLearned } from './learned.ts'
import { createSqliteLeases } from './leases.ts'
import { loadDatabase } from './load-records.ts'
import { createSqliteMemory } from './memory.ts'
import { createMessageIndex } from './message-index.ts'
import { createProbe } from './probe.ts'
import { createPurge } from './purge.ts'
import { createHeadRepair } from './repair-head.ts'
import { createSqliteRequests } from './requests.ts'
import { createSqliteSearch } from './search.ts'
import { createSqliteSessions } from './sessions.ts'
import { createStagings } from './stagings.ts'

export interface SqliteStoreOptions {
  /** Made if it is not there, with the folder it lies in. */
  readonly file: string
  /** Where full tool outputs lie; `<file>.artifacts` unless it is named. */
  readonly artifactsFolder?: string
  /** Milliseconds since 1970; decides when leases run out. */
  readonly clock?: () => number
  /** How long a call waits for a lock that another process holds before it rejects with `unavailable`. */
  readonly busyTimeoutMs?: number
}

const DEFAULT_BUSY_TIMEOUT_MS = 5_000

/** A store in one file, for any number of processes of one machine. */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { clock = Date.now, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS } = options
  const file = resolve(options.file)
  const db = await openDatabase({ file, clock, waitMs: busyTimeoutMs })
  const files = createArtifactFiles(resolve(options.artifactsFolder ?? `${file}.artifacts`))
  const contents = createArtifactContents(db, files)
  const index = createMessageIndex(db)
  const purge = createPurge(db, index, contents)
  const stagings = createStagings(db)
  // What a process before this one could not finish. If it cannot be done now either, it is tried again later.
  void contents
    .removeUnheld()
    .then(() => purge.finish())
    .then(() => stagings.dropOld())
    .catch(() => {})
  index.feedSoon()

  return {
    kind: 'sqlite',
    sessions: createSqliteSessions(db, { contents, index, purge, stagings }),
    entries: createSqliteEntries(db, index),
    inbox: createSqliteInbox(db),
    leases: createSqliteLeases(db),
    requests: createSqliteRequests(db),
    events: createSqliteEvents(db),
    artifacts: createSqliteArtifacts(db, { files, contents }),
    learned: createSqliteLearned(db),
    memory: createSqliteMemory(db),
    search: createSqliteSearch(db, index),
    watch: db.changes.watch,
    dump: (signal) => dumpDatabase(db, files, signal),
    load: (records) => loadDatabase(db, { files, contents }, records),
    check: (signal) => checkDatabase(db, files, signal),
    probe: createProbe(db),
    repairHead: createHeadRepair(db),
    async close() {
      index.stop()
      await db.close()
    },
  }
}
