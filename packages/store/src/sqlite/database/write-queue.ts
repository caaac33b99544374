import type { DatabaseSync } from 'node:sqlite'
import { waitForLock } from './retry-while-busy.ts'
import { isBusy, toStoreError } from './sqlite-error.ts'

/**
 * The one way to write. Jobs run in the order they came, in transactions: those that arrive together share one, and with
 * it the sync to disk. Each is stored whole or not at all, whatever becomes of its neighbours.
 */
export interface WriteQueue {
  /** `work` is synchronous, so that nobody else's statement slips into the transaction. It may run more than once. */
  add<T>(work: () => T, isSynced: boolean): Promise<T>
}

export interface WriteQueueOptions {
  readonly connection: DatabaseSync
  readonly file: string
  /** How long a job waits for a lock that another process holds. */
  readonly waitMs: number
  /** Runs first in every transaction; what it throws is the fate of all jobs in it. */
  readonly checkBefore: () => void
  /** While this says so, no job gives up: the lock is held by this very process. */
  readonly isPatient: () => boolean
}

interface Job {
  readonly work: () => unknown
  readonly isSynced: boolean
  readonly giveUpAt: number
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
}

/** A long transaction would stop everything else this process does. */
const MAX_BATCH_MS = 20
const MAX_BATCH_JOBS = 256

export function createWriteQueue(options: WriteQueueOptions): WriteQueue {
  const { connection, file, waitMs, isPatient } = options
  const runTransaction = createTransactionRunner(options)
  const jobs: Job[] = []
  let isRunning = false

  /** Each time in a new turn of the event loop: whatever else the one before wanted to write has joined in. */
  function run(): void {
    isRunning = jobs.length > 0
    if (!isRunning) return
    const busy = runBatch()
    if (busy === null) {
      setImmediate(run)
      return
    }
    const now = performance.now()
    while (!isPatient() && jobs[0] !== undefined && jobs[0].giveUpAt < now) {
      jobs.shift()?.reject(toStoreError(busy, file))
    }
    void waitForLock().then(run)
  }

  /** Takes the jobs off the queue and tells them how it went; the error, if they have to wait for a lock first. */
  function runBatch(): unknown {
    const batch = jobs.slice(0, MAX_BATCH_JOBS)
    const settle: (() => void)[] = []
    try {
      runTransaction(batch, settle)
    } catch (error) {
      rollBack()
      if (isBusy(error)) return error
      // Those whose outcome is known, and the one that broke the transaction.
      for (const job of jobs.splice(0, Math.min(settle.length + 1, batch.length))) job.reject(toStoreError(error, file))
      return null
    }
    jobs.splice(0, settle.length)
    for (const tell of settle) tell()
    return null
  }

  function rollBack(): void {
    try {
      if (connection.isTransaction) connection.exec('ROLLBACK')
    } catch {
      // The next transaction cannot begin then, and says why.
    }
  }

  return {
    add: (work, isSynced) =>
      new Promise((resolve, reject) => {
        jobs.push({ work, isSynced, giveUpAt: performance.now() + waitMs, resolve, reject })
        if (!isRunning) setImmediate(run)
        isRunning = true
      }),
  }
}

/** Runs as many jobs as fit into one transaction; `settle` gets what to tell each of them once it is stored. */
function createTransactionRunner({ connection, file, checkBefore }: WriteQueueOptions) {
  const prepare = (sql: string) => connection.prepare(sql)
  const [begin, commit] = [prepare('BEGIN IMMEDIATE'), prepare('COMMIT')]
  const [setSavepoint, undo, release] = [prepare('SAVEPOINT job'), prepare('ROLLBACK TO job'), prepare('RELEASE job')]

  let isSyncing: boolean | undefined

  /** Not as a prepared statement: this pragma acts when it is compiled, and never again. */
  function setSyncing(isWanted: boolean): void {
    if (isWanted !== isSyncing) connection.exec(`PRAGMA synchronous = ${isWanted ? 'FULL' : 'NORMAL'}`)
    isSyncing = isWanted
  }

  /** A job without neighbours needs no way back of its own: if it fails, the transaction is taken back. */
  function runAlone({ work, resolve }: Job): () => void {
    const value = work() as never
    return () => resolve(value)
  }

  function runJob({ work, resolve, reject }: Job): () => void {
    setSavepoint.run()
    try {
      const value = work() as never
      release.run()
      return () => resolve(value)
    } catch (error) {
      // A full disk may have ended the transaction, and with it the jobs before this one.
      if (!connection.isTransaction || isBusy(error)) throw error
      undo.run()
      release.run()
      return () => reject(toStoreError(error, file))
    }
  }

  return (batch: readonly Job[], settle: (() => void)[]): void => {
    setSyncing(batch.some(({ isSynced }) => isSynced))
    begin.run()
    checkBefore()
    const startedAt = performance.now()
    for (const job of batch) {
      settle.push(batch.length === 1 ? runAlone(job) : runJob(job))
      if (performance.now() - startedAt > MAX_BATCH_MS) break
    }
    commit.run()
  }
}
