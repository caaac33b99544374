import type { Database } from './database/database.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'

/**
 * Erases a session; false if there is none. Its row is locked first and goes with all that refers to it: whoever writes to
 * a session holds its row or the counter of its events, so that nothing can be added behind our back.
 *
 * Deleted rows can be brought back from the files of a table until it is vacuumed, so that is done at once rather than
 * some time later. No query reaches them by then, whether vacuuming succeeds or not. Their bytes are overwritten when
 * PostgreSQL uses the space again; only VACUUM FULL does that at once, but it locks everybody out.
 */
export async function purgeSession({ tables, write, transaction }: Database, id: string): Promise<boolean> {
  const wasThere = await transaction(async (query) => {
    const [session] = await query(`select from ${tables.sessions} where id = $1 for update`, [id])
    if (session === undefined) return false
    const held = await query<{ sha256: string }>(`select sha256 from ${tables.artifacts} where session_id = $1`, [id])
    for (const [table, column] of ownTables(tables)) await query(`delete from ${table} where ${column} = $1`, [id])
    await deleteUnheldContents(
      query,
      tables,
      held.map(({ sha256 }) => sha256),
    )
    return true
  })
  if (wasThere) await write(`vacuum ${listSessionTables(tables).join(', ')}`).catch(() => [])
  return wasThere
}

/** Of these contents, those that no artifact holds any more. */
export async function deleteUnheldContents(
  query: Query,
  { artifacts, artifact_contents }: Tables,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  await query(
    `delete from ${artifact_contents} c
    where c.sha256 = any ($1) and not exists (select from ${artifacts} a where a.sha256 = c.sha256)`,
    [hashes],
  )
}

/** The rest refers to the session by a foreign key, and goes with it. */
function ownTables(tables: Tables): readonly (readonly [table: string, column: string])[] {
  return [
    [tables.sessions, 'id'],
    [tables.entries, 'session_id'],
    [tables.message_words, 'session_id'],
    [tables.events, 'session_id'],
  ]
}

function listSessionTables(tables: Tables): readonly string[] {
  const { sessions, entries, message_words, inbox, leases, requests, event_counters, events } = tables
  const { artifacts, artifact_contents } = tables
  return [
    sessions,
    entries,
    message_words,
    inbox,
    leases,
    requests,
    event_counters,
    events,
    artifacts,
    artifact_contents,
  ]
}
