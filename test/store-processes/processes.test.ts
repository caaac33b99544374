import type { Entry } from '@longhaul/engine/advanced'
import { verifyStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { createSession } from '../../packages/store/src/testing/session-writer.ts'
import { openSqliteStore } from '../describe-stores.ts'
import { describeWithPostgres } from '../postgres/describe-with-postgres.ts'
import { openTestStore } from '../postgres/open-test-store.ts'
import { createAcknowledged, readEntryId } from '../store-load/acknowledged.ts'
import type { Report } from '../store-load/report.ts'
import { judgeCompactions, judgeTakeovers } from './judge-contest.ts'
import { runContest } from './run-contest.ts'
import type { ContestOptions } from './run-contest.ts'

const SESSION_IDS = ['one', 'two', 'three', 'four']
const SECONDS = 6
/** More than a lease lasts. */
const EXPIRY_MS = 6_000

const seed = Date.now() % 1_000_000

describe('two processes on one SQLite file', () => {
  it('ONE-03 write and compact the same sessions, in order and without loss', async () => {
    const { store, file } = await openSqliteStore()
    const connection = new DatabaseSync(file, { timeout: 5_000 })
    const expire = connection.prepare(`UPDATE leases SET expires_at = expires_at - ${EXPIRY_MS} WHERE random() % 2 = 0`)
    try {
      await expectFairContest(store, {
        place: { kind: 'sqlite', file },
        processes: 2,
        expireLeases: async () => void expire.run(),
      })
    } finally {
      connection.close()
    }
  })
})

describeWithPostgres('four processes on one PostgreSQL', (database) => {
  it('ONE-03 write and compact the same sessions, in order and without loss', async () => {
    const { store, schema } = await openTestStore(database)
    const expiry = `interval '${EXPIRY_MS} milliseconds'`
    await expectFairContest(store, {
      place: { kind: 'postgres', url: database.url, schema },
      processes: 4,
      async expireLeases() {
        await database.query(`update ${schema}.leases set expires_at = expires_at - ${expiry} where random() < 0.5`)
      },
    })
  })
})

async function expectFairContest(
  store: Store,
  options: Pick<ContestOptions, 'place' | 'processes' | 'expireLeases'>,
): Promise<void> {
  const acknowledged = createAcknowledged()
  const reports: Report[] = []
  for (const id of SESSION_IDS) await createSession(store, id)
  const killed = await runContest({
    ...options,
    sessionIds: SESSION_IDS,
    seed,
    seconds: SECONDS,
    onReport(report) {
      reports.push(report)
      acknowledged.record(report)
    },
  })
  await acknowledged.check(store, SESSION_IDS)
  expect((await verifyStore(store)).problems).toEqual([])
  const stored = await readStored(store)
  expectMessagesInOrder(stored)
  expect(findUnexplained(reports, stored, new Set(killed.map(({ ownerId }) => ownerId)))).toEqual([])
  const compactions = judgeCompactions(reports, stored)
  const takeovers = judgeTakeovers(reports, killed).toSorted((first, second) => first - second)
  const refusals = Object.entries(acknowledged.countRejected()).map(([code, count]) => `${code} ${count}`)
  const owners = reports.filter(({ type }) => type === 'acquired').length
  console.log(
    `${store.kind}, ${options.processes} processes, ${SECONDS} s: ${acknowledged.countEntries()} entries and ` +
      `${acknowledged.countItems()} messages acknowledged, 0 lost, 0 doubled; ${owners} times a session was taken; appends ` +
      `refused: ${refusals.join(', ')}; ${compactions.attempts} compactions of ${compactions.bases} bases, one won each ` +
      `(${compactions.ofSeveralOwners} with several owners at it); ${killed.length} killed, their ${takeovers.length} sessions ` +
      `taken over after ${takeovers[takeovers.length >> 1]} ms (median), ${takeovers.at(-1)} ms (worst).`,
  )
  expect(acknowledged.countEntries()).toBeGreaterThan(50)
  expect(Object.keys(acknowledged.countRejected())).toContain('lease-lost')
}

async function readStored(store: Store): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const entries = SESSION_IDS.map(async (id) => [id, await store.entries.read(id, {})] as const)
  return new Map(await Promise.all(entries))
}

/** Each sender waits until a message is acknowledged before it sends the next: that order stays. */
function expectMessagesInOrder(stored: ReadonlyMap<string, readonly Entry[]>): void {
  for (const entries of stored.values()) {
    const messages = entries.flatMap(({ id }) => {
      const match = /^m(\d+)\.(\d+)$/.exec(id)
      return match === null ? [] : [{ sender: match[1], number: Number(match[2]) }]
    })
    for (const sent of Map.groupBy(messages, ({ sender }) => sender).values()) {
      const numbers = sent.map(({ number }) => number)
      expect(numbers).toEqual(numbers.toSorted((first, second) => first - second))
    }
  }
}

/** Stored, and nobody was told so: only a process that was killed in between leaves such. */
function findUnexplained(
  reports: readonly Report[],
  stored: ReadonlyMap<string, readonly Entry[]>,
  killed: ReadonlySet<string>,
): readonly string[] {
  const told = new Set(
    reports.flatMap((report) =>
      report.type === 'appended' ? report.entries.map(({ id }) => `${report.sessionId} ${id}`) : [],
    ),
  )
  const ownerOf = new Map(
    reports.flatMap((report) => (report.type === 'acquired' ? [[report.token, report.ownerId]] : [])),
  )
  return [...stored].flatMap(([sessionId, entries]) =>
    entries.flatMap(({ id }) => {
      const named = readEntryId(id)
      if (named === null || told.has(`${sessionId} ${id}`)) return []
      return killed.has(ownerOf.get(named.token) ?? '') ? [] : [`${sessionId} ${id}`]
    }),
  )
}
