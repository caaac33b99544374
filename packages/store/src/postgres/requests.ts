import type { JsonObject, StoredManifest } from '@longhaul/engine/advanced'
import type { Requests, SettledRequest } from '../port/requests.ts'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import { restoreManifests } from '../records/restore-manifests.ts'
import { StoreError } from '../store-error.ts'
import type { Database } from './database/database.ts'
import { toKey, toWhole } from './database/keys.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'

export interface RequestRow {
  readonly session_id: string
  readonly number: number
  readonly manifest: string
  readonly outcome: string | null
}

export const REQUEST_COLUMNS = 'session_id, number, manifest, outcome'

export function createPostgresRequests(database: Database): Requests {
  const { tables, read, write, change } = database
  return {
    async add(sessionId, manifest) {
      await insertRequest(write, tables, toKey(sessionId), manifest, null)
    },
    async settle(sessionId, number, outcome) {
      const [row] = await write<{ found: boolean }>(
        `with settled as (update ${tables.requests} set outcome = $3 where session_id = $1 and number = $2)
        select from ${tables.sessions} where id = $1`,
        [toKey(sessionId), toWhole(number), JSON.stringify(outcome)],
      )
      if (row === undefined) throw new StoreError('not-found', `There is no session ${sessionId}.`)
    },
    async get(sessionId, number) {
      return (await readRequests(database, sessionId, [toWhole(number)]))[0] ?? null
    },
    async getLast(sessionId) {
      return (await readRequests(database, sessionId, [await findLastNumber(database, sessionId)]))[0] ?? null
    },
    getLastNumber: (sessionId) => findLastNumber(database, sessionId),
    async list(sessionId, { before = Infinity, limit }) {
      const size = clampLimit(limit)
      const rows = await read<{ number: number }>(
        `select number from ${tables.requests} where session_id = $1 and number < $2
        order by number desc limit ${size + 1}`,
        [toKey(sessionId), toWhole(before)],
      )
      const numbers = rows.slice(0, size).map(({ number }) => number)
      const next = rows.length > size ? (numbers.at(-1) ?? null) : null
      return { items: await readRequests(database, sessionId, numbers), next }
    },
    async deleteBefore(at) {
      return change(
        `delete from ${tables.requests} as old where at < $1 and number <
        (select max(number) from ${tables.requests} where session_id = old.session_id)`,
        [at],
      )
    },
  }
}

async function findLastNumber({ tables, read }: Database, sessionId: string): Promise<number> {
  const [row] = await read<{ number: number | null }>(
    `select max(number) as number from ${tables.requests} where session_id = $1`,
    [toKey(sessionId)],
  )
  return row?.number ?? 0
}

export async function insertRequest(
  query: Query,
  tables: Tables,
  sessionId: string,
  manifest: StoredManifest,
  outcome: JsonObject | null,
): Promise<void> {
  await query(
    `insert into ${tables.requests} (session_id, number, at, is_full, manifest, outcome) values ($1, $2, $3, $4, $5, $6)
    on conflict (session_id, number) do update set
      at = excluded.at, is_full = excluded.is_full, manifest = excluded.manifest, outcome = excluded.outcome`,
    [
      sessionId,
      manifest.number,
      manifest.at,
      manifest.isFull,
      JSON.stringify(manifest),
      outcome === null ? null : JSON.stringify(outcome),
    ],
  )
}

export function readStoredManifest({ session_id, number, manifest }: RequestRow): StoredManifest {
  return parseObject(manifest, `Request ${number} of session ${session_id}`)
}

export function readOutcome({ session_id, number, outcome }: RequestRow): JsonObject | null {
  return outcome === null ? null : parseObject(outcome, `The outcome of request ${number} of session ${session_id}`)
}

/** Those of the given numbers that can be restored, in the order asked for: from the nearest full one before the lowest on. */
async function readRequests(
  { tables, read }: Database,
  sessionId: string,
  numbers: readonly number[],
): Promise<readonly SettledRequest[]> {
  if (numbers.length === 0) return []
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)]
  const rows = await read<RequestRow>(
    `select ${REQUEST_COLUMNS} from ${tables.requests} where session_id = $1 and number <= $3 and number >= coalesce(
      (select max(number) from ${tables.requests} where session_id = $1 and number <= $2 and is_full), $2
    ) order by number`,
    [toKey(sessionId), lowest, highest],
  )
  const manifests = new Map(restoreManifests(rows.map(readStoredManifest)).map((one) => [one.number, one]))
  const outcomes = new Map(rows.map((row) => [row.number, row]))
  return numbers.flatMap((number) => {
    const [manifest, row] = [manifests.get(number), outcomes.get(number)]
    return manifest === undefined || row === undefined ? [] : [{ manifest, outcome: readOutcome(row) }]
  })
}
