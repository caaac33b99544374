import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../../store-error.ts'
import { createSqliteChanges } from '../changes.ts'
import type { SqliteChanges } from '../changes.ts'
import { MIGRATIONS, migrate, readVersion } from '../migrations.ts'
import { makeFolder } from './make-folder.ts'
import { openConnection } from './open-connection.ts'
import { recogniseFile } from './recognise-file.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { runInThread } from './run-in-thread.ts'
import type { Row } from './run-in-thread.ts'
import { toStoreError } from './sqlite-error.ts'
import { createWriteQueue } from './write-queue.ts'

/** One open database file, as all rooms of this store use it. All of it rejects with `closed` once it is closed. */
export interface Database {
  readonly file: string
  /** How long a call waits for a lock that another process holds. */
  readonly waitMs: number
  /** Prepare statements on it; run them inside `read` and `write` alone. */
  readonly connection: DatabaseSync
  readonly changes: SqliteChanges
  /** Milliseconds since 1970. Leases run out by it. */
  readonly clock: () => number
  read<T>(work: () => T): Promise<T>
  /** Resolves once it is on disk. `work` is all or nothing, synchronous, and may run more than once. */
  write<T>(work: () => T): Promise<T>
  /** For what may be lost if the machine stops: it is on disk with the next synced write, or a checkpoint. */
  writeUnsynced<T>(work: () => T): Promise<T>
  /** For what takes longer than a turn of the event loop. It ends with the database at the latest. */
  openConnection(): Promise<DatabaseSync>
  /** For statements that go through the whole file: they do not stop this process. Writes wait for them. */
  runInThread(...statements: readonly string[]): Promise<readonly (readonly Row[])[]>
  checkOpen(): void
  close(): Promise<void>
}

export type DatabaseOptions = Pick<Database, 'file' | 'clock' | 'waitMs'>

/** A thread may wait for others as long as it likes, within reason. */
const THREAD_WAIT_MS = 60_000

export async function openDatabase({ file, clock, waitMs }: DatabaseOptions): Promise<Database> {
  const busy = { file, waitMs }
  const connection = await retryWhileBusy(() => openMigrated(file), busy)
  const changes = createSqliteChanges(connection)
  const threads = new Set<Promise<unknown>>()
  const others = new Set<DatabaseSync>()
  const version = connection.prepare('PRAGMA user_version')
  const queue = createWriteQueue({
    connection,
    file,
    waitMs,
    checkBefore: () => checkUnchanged(file, Number(version.get()?.['user_version'])),
    isPatient: () => threads.size > 0,
  })
  let closing: Promise<void> | null = null

  function checkOpen(): void {
    if (closing !== null) throw new StoreError('closed', `The store in ${file} is closed.`)
  }

  async function shutDown(): Promise<void> {
    changes.stop()
    // What was asked for before is done first.
    await queue.add(() => {}, true).catch(() => {})
    await Promise.allSettled(threads)
    for (const other of others) if (other.isOpen) other.close()
    connection.close()
  }

  return {
    file,
    waitMs,
    connection,
    changes,
    clock,
    async read(work) {
      checkOpen()
      return retryWhileBusy(work, busy)
    },
    async write(work) {
      checkOpen()
      return queue.add(work, true)
    },
    async writeUnsynced(work) {
      checkOpen()
      return queue.add(work, false)
    },
    async openConnection() {
      checkOpen()
      const other = await retryWhileBusy(() => openConnection(file), busy)
      for (const earlier of others) if (!earlier.isOpen) others.delete(earlier)
      others.add(other)
      return other
    },
    async runInThread(...statements) {
      checkOpen()
      const running = runInThread({ file, statements, busyTimeoutMs: THREAD_WAIT_MS })
      threads.add(running)
      try {
        return await running
      } catch (error) {
        throw toStoreError(error, file)
      } finally {
        threads.delete(running)
      }
    },
    checkOpen,
    close: () => (closing ??= shutDown()),
  }
}

function openMigrated(file: string): DatabaseSync {
  recogniseFile(file, MIGRATIONS.length)
  createFile(file)
  const connection = openConnection(file)
  try {
    if (readVersion(connection) !== MIGRATIONS.length) {
      migrate(connection, file)
      // The version then stands in the file itself, where an older Longhaul looks for it first.
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    }
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Conversations are their owner's business: nobody else on this machine may read a new file, or look into its folder. */
function createFile(file: string): void {
  makeFolder(dirname(file))
  closeSync(openSync(file, 'a', 0o600))
}

/** A newer Longhaul may have been started beside this one. */
function checkUnchanged(file: string, version: number): void {
  if (version === MIGRATIONS.length) return
  throw new StoreError('newer-schema', `${file} was upgraded by a newer Longhaul meanwhile. Restart this one with it.`)
}
