import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { JsonObject } from '@longhaul/engine/advanced'
import { createSqliteStore, verifyStore } from '@longhaul/store'
import type { Random } from '../../packages/store/src/testing/random/random.ts'
import { START_AT } from '../../packages/store/src/testing/build-entries.ts'
import { createAcknowledged } from '../store-load/acknowledged.ts'
import type { Acknowledged } from '../store-load/acknowledged.ts'
import type { Report } from '../store-load/report.ts'
import { startProgram } from '../store-load/start-program.ts'
import type { WriterArgument } from './writer.ts'

/** One database that goes through many crashes. */
export interface CrashLane {
  readonly acknowledged: Acknowledged
  /** Lets a process write to it for a moment, kills it, and holds what is there against what was promised. */
  crash(): Promise<void>
  /** How often a new process was handed the compaction that a killed one had begun. */
  countAbandoned(): number
  /** Lets a process write and end in good order, then verifies all of it. */
  finish(): Promise<void>
}

const SESSION_IDS = ['one', 'two', 'three']
/** A process is killed after at most so many promises, and a moment: so a kill may hit any part of a transaction. */
const MAX_PROMISES = 30
const MAX_MOMENT_MS = 8

export async function createCrashLane(file: string, random: Random): Promise<CrashLane> {
  const acknowledged = createAcknowledged()
  const works = createWorks()
  await createSessions(file)

  const start = () => {
    const argument: WriterArgument = { file, seed: random.integer(2 ** 31), sessionIds: SESSION_IDS }
    return startProgram({
      file: join(import.meta.dirname, 'writer.ts'),
      argument,
      onReport(report) {
        acknowledged.record(report)
        works.record(report)
      },
    })
  }
  const check = async (): Promise<void> => {
    const store = await createSqliteStore({ file })
    try {
      await acknowledged.check(store, SESSION_IDS)
    } finally {
      await store.close()
    }
  }

  return {
    acknowledged,
    async crash() {
      const writer = start()
      await writer.hear(1 + random.integer(MAX_PROMISES))
      await wait(random.integer(MAX_MOMENT_MS))
      await writer.kill()
      checkIntegrity(file)
      await check()
    },
    countAbandoned: works.countAbandoned,
    async finish() {
      const writer = start()
      await writer.hear(1)
      await writer.stop()
      await check()
      const store = await createSqliteStore({ file })
      try {
        assert.deepEqual((await verifyStore(store)).problems, [])
      } finally {
        await store.close()
      }
    },
  }
}

/** As SQLite finds the file after a crash, before a store has touched it. */
export function checkIntegrity(file: string): void {
  const connection = new DatabaseSync(file, { timeout: 10_000 })
  try {
    assert.deepEqual({ ...connection.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
  } finally {
    connection.close()
  }
}

async function createSessions(file: string): Promise<void> {
  const store = await createSqliteStore({ file })
  for (const id of SESSION_IDS) await store.sessions.create({ id, createdAt: START_AT })
  await store.close()
}

/** Work noted with a lease is handed to whoever comes next, unless it was about to be taken away when the kill came. */
function createWorks() {
  const noted = new Map<string, JsonObject | 'unsure'>()
  let abandoned = 0
  return {
    record(report: Report) {
      if (report.type === 'work') noted.set(report.sessionId, report.work ?? 'unsure')
      if (report.type !== 'acquired') return
      const expected = noted.get(report.sessionId) ?? 'unsure'
      if (expected !== 'unsure') assert.deepEqual(report.abandoned, expected)
      if (report.abandoned !== null) abandoned += 1
      noted.delete(report.sessionId)
    },
    countAbandoned: () => abandoned,
  }
}
