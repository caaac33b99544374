import pg from 'pg'
import { createPostgresStore } from '@longhaul/store/postgres'
import type { Store } from '@longhaul/store/port'
import { startServer } from '../../test/postgres/start-server.ts'
import { createEntry, createWriter } from './entries.ts'
import { measurePair } from './pairs.ts'
import type { PairedRates } from './pairs.ts'

export interface PostgresAppends extends PairedRates {
  readonly sessions: number
}

/** As many connections as sessions that write at once, for both. */
const SESSIONS = [1, 8, 64]
const SCHEMA = 'longhaul_bench'
const ROUND_MS = 200

/** Rejects if no server can be had. */
export async function measurePostgresAppends(isQuick: boolean): Promise<readonly PostgresAppends[]> {
  const url = process.env['DATABASE_URL'] ?? ''
  if (url !== '') return measureOn(url, isQuick)
  const server = await startServer()
  try {
    return await measureOn(server.url, isQuick)
  } finally {
    await server.close()
  }
}

async function measureOn(url: string, isQuick: boolean): Promise<readonly PostgresAppends[]> {
  const results: PostgresAppends[] = []
  for (const sessions of SESSIONS) {
    const pool = new pg.Pool({ connectionString: url, max: sessions })
    // A server that ends before its connections have is no reason to end.
    pool.on('error', () => {})
    await pool.query(`drop schema if exists ${SCHEMA} cascade`)
    const store = await createPostgresStore({ url, schema: SCHEMA, poolSize: sessions })
    try {
      results.push({ sessions, ...(await measureSessions(pool, store, sessions, isQuick)) })
    } finally {
      await store.close()
      await pool.query(`drop schema if exists ${SCHEMA} cascade`)
      await pool.end()
    }
  }
  return results
}

async function measureSessions(pool: pg.Pool, store: Store, sessions: number, isQuick: boolean): Promise<PairedRates> {
  const rounds = isQuick ? 5 : 25
  await pool.query(
    `create table ${SCHEMA}.raw (session_id text, seq bigint, id text, at bigint, type text, body text, primary key (session_id, seq))`,
  )
  const seqs = Array.from({ length: sessions }, () => 0)
  const writers = await Promise.all(seqs.map((_, number) => createWriter(store, `s${number}`)))
  const insert = async (number: number): Promise<void> => {
    const seq = (seqs[number] ?? 0) + 1
    seqs[number] = seq
    const entry = createEntry(seq)
    await pool.query({
      name: 'insert',
      text: `insert into ${SCHEMA}.raw (session_id, seq, id, at, type, body) values ($1, $2, $3, $4, $5, $6)`,
      values: [`s${number}`, seq, entry.id, entry.at, entry.type, JSON.stringify(entry)],
    })
  }
  const runRound = async (step: (number: number) => Promise<void>): Promise<number> => {
    const endAt = performance.now() + ROUND_MS
    let count = 0
    await Promise.all(
      seqs.map(async (_, number) => {
        while (performance.now() < endAt) {
          await step(number)
          count += 1
        }
      }),
    )
    return count
  }
  return measurePair({
    rounds,
    raw: () => runRound(insert),
    ours: () => runRound(async (number) => writers[number]?.append()),
    // What was appended is indexed before the next round, so that it is in nobody's way.
    afterOurs: () => store.search.search({ query: 'nothing' }),
  })
}
