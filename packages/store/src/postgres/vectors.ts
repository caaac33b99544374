import type { Memory } from '../port/memory.ts'
import { checkId } from '../records/check-id.ts'
import { toStorableText } from '../records/describe-session.ts'
import { clampLimit } from '../records/page.ts'
import { rankByNearness } from '../vectors/rank-by-nearness.ts'
import type { VectorRow } from '../vectors/rank-by-nearness.ts'
import { toVectorBytes } from '../vectors/vector-bytes.ts'
import type { Database } from './database/database.ts'
import { toKey } from './database/keys.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'

const digestOf = (column: string): string => `sha256(convert_to(${column}, 'UTF8'))`

export function createPostgresVectors({
  tables,
  read,
  write,
}: Database): Pick<Memory, 'listWithoutVector' | 'putVectors' | 'searchNear'> {
  return {
    async listWithoutVector(model, limit) {
      const rows = await read<{ text: string }>(
        `select c.text from ${tables.memory_chunks} c join ${tables.memory_documents} d on d.name = c.document
        where not exists (
          select from ${tables.memory_vectors} v where v.digest = ${digestOf('c.text')} and v.model = $1
        )
        group by c.text order by max(d.updated_at) desc, min(c.document), min(c.number) limit ${clampLimit(limit)}`,
        [toKey(model)],
      )
      return rows.map(({ text }) => text)
    },
    async putVectors(model, vectors) {
      checkId(model, 'model')
      const byText = new Map(vectors.map(({ text, vector }) => [toStorableText(text), toVectorBytes(vector)]))
      await write(
        `insert into ${tables.memory_vectors} (digest, model, vector)
        select ${digestOf('new.text')}, $1, new.vector from unnest($2::text[], $3::bytea[]) new (text, vector)
        where new.text in (select text from ${tables.memory_chunks})
        on conflict (digest, model) do update set vector = excluded.vector`,
        [model, [...byText.keys()], [...byText.values()].map((bytes) => Buffer.from(bytes.buffer))],
      )
    },
    async searchNear({ model, vector, kinds, limit }) {
      const near = toVectorBytes(vector)
      const rows = await read<VectorRow>(
        `select c.kind, c.line, c.text, c.document, d.updated_at as "updatedAt", v.vector
        from ${tables.memory_chunks} c join ${tables.memory_documents} d on d.name = c.document
        join ${tables.memory_vectors} v on v.digest = ${digestOf('c.text')} and v.model = $1
        where $2::text[] is null or c.kind = any ($2)`,
        [toKey(model), kinds ?? null],
      )
      return rankByNearness(rows, near, clampLimit(limit))
    },
  }
}

/** Of texts that no chunk holds any more. */
export async function forgetVectors(query: Query, tables: Tables): Promise<void> {
  await query(
    `delete from ${tables.memory_vectors} where digest not in (select ${digestOf('text')} from ${tables.memory_chunks})`,
  )
}
