import type { Database } from './database/database.ts'

/** As much as a small turn takes, so that room for one more page does not pass for room. */
const PROBE_BYTES = 32_768

/**
 * Stores a row that no chunk of memory refers to, so that nobody ever finds it, and takes it away again. One that a crash
 * left behind is replaced by the next one.
 */
export function createProbe(db: Database): () => Promise<void> {
  const { connection } = db
  const put = connection.prepare(
    `INSERT OR REPLACE INTO memory_vectors (text, model, vector) VALUES ('', 'probe', zeroblob(${PROBE_BYTES}))`,
  )
  const remove = connection.prepare("DELETE FROM memory_vectors WHERE text = '' AND model = 'probe'")
  return async () => {
    await db.write(() => put.run())
    await db.write(() => remove.run())
  }
}
