import { readQuery } from '@longhaul/engine/advanced'
import type { Memory, MemoryChunk, MemoryDocument, MemoryHit } from '../port/memory.ts'
import { checkId } from '../records/check-id.ts'
import { toStorableText } from '../records/describe-session.ts'
import { clampLimit } from '../records/page.ts'
import type { Database } from './database/database.ts'
import { toKey, toWhole } from './database/keys.ts'
import { listParameters } from './database/row-values.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'
import { weighQueries } from './full-text/weigh-queries.ts'
import { writeQueries } from './full-text/word-queries.ts'
import { writeShortVector } from './full-text/word-vectors.ts'
import { createPostgresVectors, forgetVectors } from './vectors.ts'

interface DocumentRow {
  readonly name: string
  readonly updated_at: number
  readonly text: string
}

export function createPostgresMemory(database: Database): Memory {
  const { tables, read, transaction } = database
  return {
    ...createPostgresVectors(database),
    async put(document, chunks) {
      checkId(document.name, 'document')
      await transaction(async (query) => {
        await putDocument(query, tables, document, chunks)
        await forgetVectors(query, tables)
      })
    },
    async append(document, chunks) {
      checkId(document.name, 'document')
      return transaction((query) => appendDocument(query, tables, document, chunks))
    },
    async get(name) {
      const [row] = await read<DocumentRow>(
        `select name, updated_at, text from ${tables.memory_documents} where name = $1`,
        [toKey(name)],
      )
      return row === undefined ? null : toDocument(row)
    },
    async list() {
      const rows = await read<Omit<DocumentRow, 'text'>>(
        `select name, updated_at from ${tables.memory_documents} order by name`,
      )
      return rows.map(({ name, updated_at }) => ({ name, updatedAt: updated_at }))
    },
    async delete(name) {
      await transaction(async (query) => {
        await query(`delete from ${tables.memory_documents} where name = $1`, [toKey(name)])
        await forgetVectors(query, tables)
      })
    },
    search: ({ query, kinds, limit }) =>
      query.trim() === ''
        ? listNewest(database, kinds, clampLimit(limit))
        : searchChunks(database, writeQueries(readQuery(query)), kinds, clampLimit(limit)),
  }
}

export async function putDocument(
  query: Query,
  tables: Tables,
  { name, updatedAt, text }: MemoryDocument,
  chunks: readonly MemoryChunk[],
): Promise<void> {
  await query(
    `insert into ${tables.memory_documents} (name, updated_at, text) values ($1, $2, $3)
    on conflict (name) do update set updated_at = excluded.updated_at, text = excluded.text`,
    [name, updatedAt, toStorableText(text)],
  )
  await query(`delete from ${tables.memory_chunks} where document = $1`, [name])
  await insertChunks(query, tables, name, 0, chunks)
}

/** Whoever else appends waits at the row of the document. */
async function appendDocument(
  query: Query,
  tables: Tables,
  { name, updatedAt, text }: MemoryDocument,
  chunks: readonly MemoryChunk[],
): Promise<MemoryDocument> {
  const added = toStorableText(text)
  const [row] = await query<DocumentRow>(
    `insert into ${tables.memory_documents} as d (name, updated_at, text) values ($1, $2, $3)
    on conflict (name) do update set
      updated_at = greatest(d.updated_at, excluded.updated_at), text = d.text || excluded.text
    returning name, updated_at, text`,
    [name, updatedAt, added],
  )
  if (row === undefined) throw new Error(`Document ${name} was not written.`)
  const before = row.text.slice(0, row.text.length - added.length)
  const linesBefore = before.split('\n').length - 1
  const [last] = await query<{ number: number }>(
    `select coalesce(max(number) + 1, 0) as number from ${tables.memory_chunks} where document = $1`,
    [name],
  )
  const moved = chunks.map((chunk) => ({ ...chunk, line: chunk.line + linesBefore }))
  await insertChunks(query, tables, name, last?.number ?? 0, moved)
  return toDocument(row)
}

const CHUNK_TYPES = ['text', 'integer', 'text', 'integer', 'text', 'tsvector']
const MAX_ROWS = 500

async function insertChunks(
  query: Query,
  tables: Tables,
  name: string,
  firstNumber: number,
  chunks: readonly MemoryChunk[],
): Promise<void> {
  for (let start = 0; start < chunks.length; start += MAX_ROWS) {
    const rows = chunks.slice(start, start + MAX_ROWS).map(({ kind, line, text }, index) => {
      const number = firstNumber + start + index
      return [name, number, kind, toWhole(line), toStorableText(text), writeShortVector(text)]
    })
    await query(
      `insert into ${tables.memory_chunks} (document, number, kind, line, text, words)
      values ${listParameters(CHUNK_TYPES, rows.length, 1)}`,
      rows.flat(),
    )
  }
}

async function listNewest(
  { tables, read }: Database,
  kinds: readonly string[] | undefined,
  limit: number,
): Promise<readonly MemoryHit[]> {
  const rows = await read<HitRow>(
    `select c.document, c.kind, c.line, c.text, d.updated_at, 0 as score
    from ${tables.memory_chunks} c join ${tables.memory_documents} d on d.name = c.document
    where $1::text[] is null or c.kind = any ($1)
    order by d.updated_at desc, c.document, c.line desc limit ${limit}`,
    [kinds ?? null],
  )
  return rows.map(toHit)
}

async function searchChunks(
  database: Database,
  queries: readonly string[],
  kinds: readonly string[] | undefined,
  limit: number,
): Promise<readonly MemoryHit[]> {
  const { tables, read } = database
  const place = {
    table: tables.memory_chunks,
    where: '($1::text[] is null or kind = any ($1))',
    values: [kinds ?? null],
  }
  const weighed = await weighQueries(database, place, queries)
  if (weighed === null) return []
  const rows = await read<HitRow>(
    `select c.document, c.kind, c.line, c.text, d.updated_at, (
      select sum(weight * ts_rank(c.words, query::tsquery, 1))
      from unnest($3::text[], $4::float8[]) weighed (query, weight)
    ) as score
    from ${tables.memory_chunks} c join ${tables.memory_documents} d on d.name = c.document
    where c.words @@ $2::tsquery and ($1::text[] is null or c.kind = any ($1))
    order by score desc, d.updated_at desc, c.document, c.number limit ${limit}`,
    [kinds ?? null, weighed.any, weighed.queries, weighed.weights],
  )
  return rows.map(toHit)
}

interface HitRow extends MemoryChunk {
  readonly document: string
  readonly updated_at: number
  readonly score: number
}

function toHit({ document, kind, line, text, updated_at, score }: HitRow): MemoryHit {
  return { kind, line, text, document, updatedAt: updated_at, score }
}

function toDocument({ name, updated_at, text }: DocumentRow): MemoryDocument {
  return { name, updatedAt: updated_at, text }
}
