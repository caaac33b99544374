import { randomBytes } from 'node:crypto'
import type { Database } from './database/database.ts'

/** As much as a small turn takes, of bytes that do not shrink, so that room for one more page does not pass for room. */
const PROBE_BYTES = 32_768

/** Stores a row that no chunk of memory refers to, so that nobody ever finds it, and takes it away again. */
export function createProbe({ tables, write }: Database): () => Promise<void> {
  return async () => {
    await write(
      `insert into ${tables.memory_vectors} (digest, model, vector) values ('', 'probe', $1)
      on conflict (digest, model) do update set vector = excluded.vector`,
      [randomBytes(PROBE_BYTES)],
    )
    await write(`delete from ${tables.memory_vectors} where digest = '' and model = 'probe'`, [])
  }
}
