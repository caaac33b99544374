import type { DatabaseSync } from 'node:sqlite'
import type { Memory } from '../port/memory.ts'
import { checkId } from '../records/check-id.ts'
import { toStorableText } from '../records/describe-session.ts'
import { clampLimit } from '../records/page.ts'
import { rankByNearness } from '../vectors/rank-by-nearness.ts'
import type { VectorRow } from '../vectors/rank-by-nearness.ts'
import { toVectorBytes } from '../vectors/vector-bytes.ts'
import type { Database } from './database/database.ts'

export function createSqliteVectors(db: Database): Pick<Memory, 'listWithoutVector' | 'putVectors' | 'searchNear'> {
  const { connection } = db
  const documents = 'JOIN memory_documents ON memory_documents.key = document_key'
  const selectMissing = connection.prepare(
    `SELECT memory_chunks.text FROM memory_chunks ${documents}
     WHERE NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.text = memory_chunks.text AND model = ?)
     GROUP BY memory_chunks.text ORDER BY max(updated_at) DESC, min(memory_chunks.key) LIMIT ?`,
  )
  const selectHeld = connection.prepare(
    'SELECT DISTINCT text FROM memory_chunks WHERE text IN (SELECT value FROM json_each(?))',
  )
  const write = connection.prepare('INSERT OR REPLACE INTO memory_vectors (text, model, vector) VALUES (?, ?, ?)')
  const selectAll = connection.prepare(
    `SELECT kind, line, memory_chunks.text, name AS document, updated_at AS updatedAt, vector
     FROM memory_chunks ${documents} JOIN memory_vectors v ON v.text = memory_chunks.text AND model = ?1
     WHERE ?2 IS NULL OR kind IN (SELECT value FROM json_each(?2))`,
  )

  return {
    listWithoutVector: (model, limit) =>
      db.read(() => selectMissing.all(model, clampLimit(limit)).map(({ text }) => String(text))),
    async putVectors(model, vectors) {
      checkId(model, 'model')
      const byText = new Map(vectors.map(({ text, vector }) => [toStorableText(text), toVectorBytes(vector)]))
      await db.write(() => {
        const held = selectHeld.all(JSON.stringify([...byText.keys()])).map(({ text }) => String(text))
        for (const text of held) write.run(text, model, byText.get(text) ?? null)
      })
    },
    async searchNear({ model, vector, kinds, limit }) {
      const near = toVectorBytes(vector)
      const wanted = kinds === undefined ? null : JSON.stringify(kinds)
      return db.read(() => {
        const rows = selectAll.iterate(model, wanted) as unknown as Iterable<VectorRow>
        return rankByNearness(rows, near, clampLimit(limit))
      })
    },
  }
}

/** Of texts that no chunk holds any more. */
export function prepareForgetVectors(connection: DatabaseSync): () => void {
  const forget = connection.prepare(
    `DELETE FROM memory_vectors WHERE rowid IN
     (SELECT rowid FROM memory_vectors WHERE text NOT IN (SELECT text FROM memory_chunks))`,
  )
  return () => void forget.run()
}
