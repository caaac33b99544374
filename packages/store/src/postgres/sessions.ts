import type { Entry, Head, JsonObject } from '@longhaul/engine/advanced'
import type { NewSession, SessionPage, SessionQuery, SessionRecord, Sessions } from '../port/sessions.ts'
import { checkNewSession } from '../records/check-append.ts'
import { titleOf } from '../records/describe-session.ts'
import { parseObject } from '../records/entry-text.ts'
import { createDescriber, fewEntries, piecesOf } from '../records/new-entries.ts'
import type { NewDescription } from '../records/new-entries.ts'
import { clampLimit, readCursor, writeCursor } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import { describeArtifacts, insertArtifact } from './artifacts.ts'
import type { Changes } from './changes.ts'
import type { Database } from './database/database.ts'
import { toKey, toWhole } from './database/keys.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'
import { insertEntries, writeEntries } from './appends/entry-rows.ts'
import { writeAnyQuery } from './full-text/word-queries.ts'
import { writeShortVector } from './full-text/word-vectors.ts'
import { purgeSession } from './purge.ts'
import type { WordIndex } from './full-text/word-index.ts'

interface SessionRow {
  readonly id: string
  readonly created_at: number
  readonly updated_at: number
  readonly deleted_at: number | null
  readonly preview: string | null
  readonly header: string
  readonly head: string
}

const COLUMNS = 'id, created_at, updated_at, deleted_at, preview, header, head'

export function createPostgresSessions(database: Database, changes: Changes, wordIndex: WordIndex): Sessions {
  const { tables, read, change, transaction } = database
  return {
    async create(session) {
      const few = fewEntries(session)
      checkNewSession({ id: session.id, createdAt: session.createdAt, ...(few !== null && { entries: few }) })
      const artifacts = describeArtifacts(session)
      const record = await transaction(async (query) => {
        const created = await (few === null
          ? insertPieces(query, tables, session)
          : insertAtOnce(query, tables, session, few))
        for (const artifact of artifacts) await insertArtifact(query, tables, session.id, artifact)
        return created
      })
      changes.emit({ sessionId: session.id, what: 'entries' })
      if (record.head.lastSeq > 0) wordIndex.note(session.id)
      return record
    },
    async get(id) {
      const [row] = await read<SessionRow>(`select ${COLUMNS} from ${tables.sessions} where id = $1`, [toKey(id)])
      return row === undefined ? null : toRecord(row)
    },
    async list(query) {
      if (query.query !== undefined && query.query.trim() !== '') await wordIndex.catchUp()
      return listSessions(database, query)
    },
    async setDeleted(id, at) {
      const found = await change(`update ${tables.sessions} set deleted_at = $2 where id = $1`, [toKey(id), at])
      if (found === 0) throw new StoreError('not-found', `There is no session ${id}.`)
      changes.emit({ sessionId: id, what: 'any' })
    },
    async purge(id) {
      if (await purgeSession(database, toKey(id))) changes.emit({ sessionId: id, what: 'any' })
    },
  }
}

async function insertAtOnce(
  query: Query,
  tables: Tables,
  session: NewSession,
  entries: readonly Entry[],
): Promise<SessionRecord> {
  const describer = createDescriber(session)
  describer.add(entries)
  const record = toNewRecord(session, describer.describe())
  await insertSession(query, tables, record)
  for (const part of writeEntries(entries)) await insertEntries(query, tables, session.id, part)
  return record
}

/** The row comes first, so that the id is taken, and hears last what all of them came to. Others see nothing of it before. */
async function insertPieces(query: Query, tables: Tables, session: NewSession): Promise<SessionRecord> {
  const describer = createDescriber(session)
  await insertSession(query, tables, toNewRecord(session, describer.describe()))
  for await (const piece of piecesOf(session)) {
    describer.add(piece)
    for (const part of writeEntries(piece)) await insertEntries(query, tables, session.id, part)
  }
  const record = toNewRecord(session, describer.describe())
  await setHead(query, tables, session.id, record.head, record.preview)
  await query(`update ${tables.sessions} set updated_at = $2, listed_at = $2 where id = $1`, [
    session.id,
    record.updatedAt,
  ])
  return record
}

/** Its row and the counter of its events; entries come after it. */
export async function insertSession(query: Query, tables: Tables, session: SessionRecord): Promise<void> {
  const { id, createdAt, updatedAt, deletedAt, title, preview, header, head } = session
  const rows = await query(
    `with made as (
      insert into ${tables.sessions}
        (id, created_at, updated_at, listed_at, deleted_at, title_words, preview, header, head, last_seq, listed_seq, epoch)
      values ($1, $2, $3, $3, $4, $5::tsvector, $6, $7, $8, $9, $9, $10)
      on conflict (id) do nothing
      returning id
    )
    insert into ${tables.event_counters} (session_id, last_id) select id, 0 from made returning session_id`,
    [
      id,
      createdAt,
      updatedAt,
      deletedAt,
      title === null ? null : writeShortVector(title),
      preview,
      JSON.stringify(header),
      JSON.stringify(head),
      head.lastSeq,
      head.epoch,
    ],
  )
  if (rows.length === 0) throw new StoreError('id-conflict', `There is a session ${id} already.`)
}

/** Puts the cache of the fold in place. Returns whether the session is there. */
export async function setHead(
  query: Query,
  tables: Tables,
  id: string,
  head: Head,
  preview: string | null,
): Promise<boolean> {
  const { title } = head.settings
  const rows = await query(
    `update ${tables.sessions} set
      head = $2, last_seq = $3, listed_seq = $3, epoch = $4, preview = $5, title_words = coalesce($6::tsvector, title_words)
    where id = $1 returning id`,
    [id, JSON.stringify(head), head.lastSeq, head.epoch, preview, title === undefined ? null : writeShortVector(title)],
  )
  return rows.length > 0
}

function toNewRecord({ id, createdAt, header = {} }: NewSession, description: NewDescription): SessionRecord {
  return { id, createdAt, deletedAt: null, title: titleOf(header, description.head), header, ...description }
}

function toRecord(row: SessionRow): SessionRecord {
  const { id, created_at, updated_at, deleted_at, preview } = row
  const header = parseObject<JsonObject>(row.header, `The header of session ${id}`)
  const head = parseObject<Head>(row.head, `The head of session ${id}`)
  return {
    id,
    createdAt: created_at,
    updatedAt: updated_at,
    deletedAt: deleted_at,
    title: titleOf(header, head),
    preview,
    header,
    head,
  }
}

/**
 * Sessions with an owner are few, and are looked at one by one; all others are found by the index, which only for them is
 * up to date.
 */
async function listSessions({ tables, read }: Database, query: SessionQuery): Promise<SessionPage> {
  const conditions = writeConditions(tables, query)
  if (conditions === null) return { items: [], next: null }
  const size = clampLimit(query.limit)
  const isOwned = `exists (select from ${tables.leases} l where l.session_id = s.id)`
  const rows = await read<SessionRow>(
    `select * from (
      (
        select ${COLUMNS} from ${tables.sessions} s where not ${isOwned} and ${conditions.write('listed_at')}
        order by listed_at desc, id limit ${size + 1}
      ) union all (
        select ${COLUMNS} from ${tables.sessions} s where ${isOwned} and ${conditions.write('updated_at')}
      )
    ) found order by updated_at desc, id limit ${size + 1}`,
    conditions.values,
  )
  const items = rows.slice(0, size).map(toRecord)
  const last = items.at(-1)
  return { items, next: last === undefined || rows.length <= size ? null : writeCursor(last) }
}

interface Conditions {
  readonly write: (updatedAt: 'updated_at' | 'listed_at') => string
  readonly values: readonly unknown[]
}

/** null if nothing can be found. */
function writeConditions(
  tables: Tables,
  { query = '', after, deleted = false, updatedBefore }: SessionQuery,
): Conditions | null {
  const values: unknown[] = []
  const add = (value: unknown): string => `$${values.push(value)}`
  const before = updatedBefore === undefined ? null : add(toWhole(updatedBefore))
  const cursor = after === undefined ? null : readCursor(after)
  const place = cursor === null ? null : { at: add(toWhole(cursor.updatedAt)), id: add(toKey(cursor.id)) }
  const words = query.trim() === '' ? null : writeAnyQuery(query)
  if (words === null && query.trim() !== '') return null
  const any = words === null ? null : `${add(words)}::tsquery`
  return {
    write: (updatedAt) =>
      [
        `deleted_at is ${deleted ? 'not ' : ''}null`,
        before === null ? [] : `${updatedAt} < ${before}`,
        place === null ? [] : `${updatedAt} <= ${place.at} and (${updatedAt} < ${place.at} or id > ${place.id})`,
        any === null
          ? []
          : `(title_words @@ ${any} or id in (select session_id from ${tables.message_words} where words @@ ${any}))`,
      ]
        .flat()
        .join(' and '),
    values,
  }
}
