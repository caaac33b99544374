import { readQuery, splitWords } from '@longhaul/engine/advanced'
import type { DatabaseSync } from 'node:sqlite'
import type { Memory, MemoryChunk, MemoryDocument, MemoryHit, MemoryKind } from '../port/memory.ts'
import { checkId } from '../records/check-id.ts'
import { toStorableText } from '../records/describe-session.ts'
import { clampLimit } from '../records/page.ts'
import type { Database } from './database/database.ts'
import { toMatch } from './search.ts'
import { createSqliteVectors, prepareForgetVectors } from './vectors.ts'

export function createSqliteMemory(db: Database): Memory {
  const { connection } = db
  const write = prepareWriteDocument(connection)
  const addChunks = prepareAddChunks(connection)
  const find = prepareFind(connection)
  const select = connection.prepare('SELECT name, updated_at, text FROM memory_documents WHERE name = ?')
  const selectAll = connection.prepare('SELECT name, updated_at FROM memory_documents ORDER BY name')
  const deleteChunks = prepareDeleteChunks(connection)
  const deleteDocument = connection.prepare('DELETE FROM memory_documents WHERE name = ?')
  const forgetVectors = prepareForgetVectors(connection)

  function get(name: string): MemoryDocument | null {
    const row = select.get(name) as DocumentRow | undefined
    return row === undefined ? null : { name: row.name, updatedAt: row.updated_at, text: row.text }
  }

  return {
    ...createSqliteVectors(db),
    async put(document, chunks) {
      checkId(document.name, 'document')
      const kept = [...chunks]
      await db.write(() => {
        const key = write(document)
        deleteChunks(document.name)
        addChunks(key, kept, 0)
        forgetVectors()
      })
    },
    async append({ name, updatedAt, text }, chunks) {
      checkId(name, 'document')
      const kept = [...chunks]
      return db.write(() => {
        const before = get(name) ?? { name, updatedAt, text: '' }
        const now = {
          name,
          updatedAt: Math.max(before.updatedAt, updatedAt),
          text: before.text + toStorableText(text),
        }
        addChunks(write(now), kept, before.text.split('\n').length - 1)
        return now
      })
    },
    get: (name) => db.read(() => get(name)),
    list: () =>
      db.read(() => {
        const rows = selectAll.all() as unknown as Omit<DocumentRow, 'text'>[]
        return rows.map(({ name, updated_at: updatedAt }) => ({ name, updatedAt }))
      }),
    async delete(name) {
      await db.write(() => {
        deleteChunks(name)
        deleteDocument.run(name)
        forgetVectors()
      })
    },
    search: ({ query, kinds, limit }) => db.read(() => find(query, kinds ?? ALL_KINDS, clampLimit(limit))),
  }
}

const ALL_KINDS: readonly MemoryKind[] = ['instruction', 'fact', 'note']

interface DocumentRow {
  readonly name: string
  readonly updated_at: number
  readonly text: string
}

/** Returns its key. */
export function prepareWriteDocument(connection: DatabaseSync): (document: MemoryDocument) => number {
  const upsert = connection.prepare(
    `INSERT INTO memory_documents (name, updated_at, text) VALUES (?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET updated_at = excluded.updated_at, text = excluded.text RETURNING key`,
  )
  return ({ name, updatedAt, text }) => Number(upsert.get(name, updatedAt, toStorableText(text))?.['key'])
}

export type AddChunks = (documentKey: number, chunks: readonly MemoryChunk[], linesBefore: number) => void

export function prepareAddChunks(connection: DatabaseSync): AddChunks {
  const insert = connection.prepare(
    'INSERT INTO memory_chunks (document_key, kind, line, text) VALUES (?, ?, ?, ?) RETURNING key',
  )
  const insertWords = connection.prepare('INSERT INTO memory_words (rowid, words) VALUES (?, ?)')
  return (documentKey, chunks, linesBefore) => {
    for (const { kind, line, text } of chunks) {
      const row = insert.get(documentKey, kind, line + linesBefore, toStorableText(text))
      insertWords.run(Number(row?.['key']), splitWords(text).join(' '))
    }
  }
}

function prepareDeleteChunks(connection: DatabaseSync): (name: string) => void {
  const chunks = `SELECT memory_chunks.key FROM memory_chunks JOIN memory_documents ON document_key = memory_documents.key
                  WHERE name = ?`
  const deleteWords = connection.prepare(`DELETE FROM memory_words WHERE rowid IN (${chunks})`)
  const deleteRows = connection.prepare(`DELETE FROM memory_chunks WHERE key IN (${chunks})`)
  return (name) => {
    deleteWords.run(name)
    deleteRows.run(name)
  }
}

interface ChunkRow extends MemoryChunk {
  readonly name: string
  readonly updated_at: number
  readonly score: number
}

function prepareFind(connection: DatabaseSync) {
  const columns = 'kind, line, memory_chunks.text, name, updated_at'
  const documents = 'JOIN memory_documents ON memory_documents.key = document_key'
  const isWanted = 'kind IN (SELECT value FROM json_each(?))'
  const byWords = connection.prepare(
    `SELECT ${columns}, -rank AS score FROM memory_words
     CROSS JOIN memory_chunks ON memory_chunks.key = memory_words.rowid ${documents}
     WHERE memory_words MATCH ? AND ${isWanted} ORDER BY rank LIMIT ?`,
  )
  const newest = connection.prepare(
    `SELECT ${columns}, 0 AS score FROM memory_chunks ${documents}
     WHERE ${isWanted} ORDER BY updated_at DESC, name, line DESC LIMIT ?`,
  )
  return (query: string, kinds: readonly MemoryKind[], limit: number): readonly MemoryHit[] => {
    const wanted = JSON.stringify(kinds)
    const words = toMatch(readQuery(query))
    if (words === null && query.trim() !== '') return []
    const rows = words === null ? newest.all(wanted, limit) : byWords.all(words, wanted, limit)
    return (rows as unknown as ChunkRow[]).map(({ kind, line, text, name, updated_at: updatedAt, score }) => {
      return { kind, line, text, document: name, updatedAt, score }
    })
  }
}
