import { join } from 'node:path'
import { createSqliteStore } from '@longhaul/store'
import { openConnection } from '../../packages/store/src/sqlite/database/open-connection.ts'
import { inFolder } from '../in-folder.ts'
import { median } from '../report/percentile.ts'
import { createEntry, createWriter } from './entries.ts'
import { measurePair, measureRate } from './pairs.ts'
import type { PairedRates } from './pairs.ts'

export interface SqliteAppends {
  /** One session, one append after another. */
  readonly oneByOne: PairedRates
  /** Appends of sessions that come together share a sync. */
  readonly sessions: number
  readonly togetherPerSecond: number
  /** Messages whose words were taken up for the search, afterwards. */
  readonly indexedPerSecond: number
}

const SESSIONS = 8
/**
 * By then the code is compiled, and the log is written over from its start, which is cheaper than making it longer: as in
 * a process that has run for a while.
 */
const WARM_UPS = 2_000

export async function measureSqliteAppends(isQuick: boolean): Promise<SqliteAppends> {
  const [rounds, appends] = isQuick ? [50, 20] : [300, 20]
  return inFolder(async (folder) => {
    const insert = createRawInsert(join(folder, 'raw.db'))
    const store = await createSqliteStore({ file: join(folder, 'longhaul.db') })
    try {
      const writer = await createWriter(store, 'alone')
      for (let count = 0; count < WARM_UPS; count += 1) {
        insert.run()
        await writer.append()
      }
      await store.search.search({ query: 'nothing' })
      const oneByOne = await measurePair({
        rounds,
        async raw() {
          for (let count = 0; count < appends; count += 1) insert.run()
          return appends
        },
        async ours() {
          for (let count = 0; count < appends; count += 1) await writer.append()
          return appends
        },
      })
      const indexedPerSecond = await measureRate(() => store.search.rebuild())
      const writers = await Promise.all(
        Array.from({ length: SESSIONS }, (_, number) => createWriter(store, `s${number}`)),
      )
      const together: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        together.push(
          await measureRate(async () => {
            await Promise.all(
              writers.map(async (one) => {
                for (let count = 0; count < appends / SESSIONS; count += 1) await one.append()
              }),
            )
            return Math.ceil(appends / SESSIONS) * SESSIONS
          }),
        )
      }
      return { oneByOne, sessions: SESSIONS, togetherPerSecond: median(together), indexedPerSecond }
    } finally {
      await store.close()
      insert.close()
    }
  })
}

/** The least that keeps an entry: one row, one prepared statement, the pragmas of the store. */
function createRawInsert(file: string) {
  const connection = openConnection(file)
  connection.exec(
    'CREATE TABLE entries (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, type TEXT NOT NULL, entry TEXT NOT NULL)',
  )
  const insert = connection.prepare('INSERT INTO entries (seq, id, type, entry) VALUES (?, ?, ?, ?)')
  let seq = 0
  return {
    run() {
      seq += 1
      const entry = createEntry(seq)
      insert.run(seq, entry.id, entry.type, JSON.stringify(entry))
    },
    close: () => connection.close(),
  }
}
