import type { JsonObject, Manifest, StoredManifest } from '@longhaul/engine/advanced'
import type { RequestPage, Requests, SettledRequest } from '../port/requests.ts'
import type { DatabaseSync } from 'node:sqlite'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import { restoreManifests } from '../records/restore-manifests.ts'
import type { Database } from './database/database.ts'
import { prepareDeleteOld } from './database/delete-old.ts'
import { createSessionKeys } from './rows/session-keys.ts'

export function createSqliteRequests(db: Database): Requests {
  const { connection } = db
  const keys = createSessionKeys(connection)
  const insert = prepareInsertRequest(connection)
  const settle = connection.prepare('UPDATE requests SET outcome = ? WHERE session_key = ? AND number = ?')
  const readPage = prepareReadPage(connection)
  const findLast = connection.prepare('SELECT max(number) AS number FROM requests WHERE session_key = ?')

  async function list(sessionId: string, before: number | undefined, limit: number): Promise<RequestPage> {
    return db.read(() => readPage(sessionId, keys.find(sessionId), before ?? Number.MAX_SAFE_INTEGER, limit))
  }

  return {
    async add(sessionId, manifest) {
      const row = { manifest, text: JSON.stringify(manifest), outcome: null }
      await db.writeUnsynced(() => insert(keys.get(sessionId), row))
    },
    async settle(sessionId, number, outcome) {
      const text = JSON.stringify(outcome)
      await db.writeUnsynced(() => settle.run(text, keys.find(sessionId), number))
    },
    async get(sessionId, number) {
      const { items } = await list(sessionId, number + 1, 1)
      return items.find(({ manifest }) => manifest.number === number) ?? null
    },
    async getLast(sessionId) {
      return (await list(sessionId, undefined, 1)).items[0] ?? null
    },
    async getLastNumber(sessionId) {
      const row = await db.read(() => findLast.get(keys.find(sessionId)))
      return Number(row?.['number'] ?? 0)
    },
    list: (sessionId, { before, limit }) => list(sessionId, before, clampLimit(limit)),
    deleteBefore: prepareDeleteOld(db, { table: 'requests', key: 'number', column: 'at', keepsNewest: true }),
  }
}

export interface RequestRow {
  readonly number: number
  readonly is_full: number
  readonly manifest: string
  readonly outcome: string | null
}

interface NewRequestRow {
  readonly manifest: StoredManifest
  readonly text: string
  readonly outcome: string | null
}

export function prepareInsertRequest(connection: DatabaseSync): (sessionKey: number, row: NewRequestRow) => void {
  const insert = connection.prepare(
    'INSERT OR REPLACE INTO requests (session_key, number, at, is_full, manifest, outcome) VALUES (?, ?, ?, ?, ?, ?)',
  )
  return (sessionKey, { manifest: { number, at, isFull }, text, outcome }) => {
    insert.run(sessionKey, number, at, isFull ? 1 : 0, text, outcome)
  }
}

export function readStoredManifest({ number, manifest }: RequestRow, sessionId: string): StoredManifest {
  return parseObject<StoredManifest>(manifest, `Request ${number} of session ${sessionId}`)
}

export function readOutcome({ number, outcome }: RequestRow, sessionId: string): JsonObject | null {
  return outcome === null ? null : parseObject<JsonObject>(outcome, `The outcome of request ${number} of ${sessionId}`)
}

type ReadPage = (sessionId: string, sessionKey: number | null, before: number, limit: number) => RequestPage

/** A manifest rests on the one before it, back to a full one: those are read with the page. */
function prepareReadPage(connection: DatabaseSync): ReadPage {
  const downwards = connection.prepare(
    'SELECT number, is_full, manifest, outcome FROM requests WHERE session_key = ? AND number < ? ORDER BY number DESC',
  )
  return (sessionId, sessionKey, before, limit) => {
    const rows: RequestRow[] = []
    let hasMore = false
    for (const row of downwards.iterate(sessionKey, before) as unknown as Iterable<RequestRow>) {
      hasMore = rows.length >= limit
      if (hasMore && rows.at(-1)?.is_full === 1) break
      rows.push(row)
    }
    const page = rows.slice(0, limit)
    const manifests = restoreManifests(rows.toReversed().map((row) => readStoredManifest(row, sessionId)))
    const byNumber = new Map(manifests.map((manifest): [number, Manifest] => [manifest.number, manifest]))
    const items = page.flatMap((row): readonly SettledRequest[] => {
      const manifest = byNumber.get(row.number)
      return manifest === undefined ? [] : [{ manifest, outcome: readOutcome(row, sessionId) }]
    })
    return { items, next: hasMore ? (page.at(-1)?.number ?? null) : null }
  }
}
