import { createState, foldEntries } from '@longhaul/engine/advanced'
import type { Problem, Store } from '../port/store.ts'
import { findPreview } from '../records/describe-session.ts'
import { WALK_ENTRIES } from '../records/page.ts'
import { withoutContent } from '../records/without-content.ts'
import { StoreError } from '../store-error.ts'
import type { Database } from './database/database.ts'
import { toKey } from './database/keys.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'
import { readRange } from './appends/entry-rows.ts'
import { setHead } from './sessions.ts'

export function createPostgresCheck(database: Database): Pick<Store, 'check' | 'repairHead'> {
  return {
    async check(signal) {
      const problems: Problem[] = []
      for (const check of [findChecksumFailures, findInvalidIndexes, findDamagedContents, findStrayWords]) {
        signal?.throwIfAborted()
        problems.push(...(await check(database)))
      }
      return problems
    },
    async repairHead(sessionId) {
      const id = toKey(sessionId)
      await database.transaction((query) => repairHead(query, database.tables, id))
    },
  }
}

/** Only where the server was set up with checksums; it counts them as it reads. */
async function findChecksumFailures({ read }: Database): Promise<readonly Problem[]> {
  const [row] = await read<{ failures: number | null }>(
    `select checksum_failures as failures from pg_stat_database where datname = current_database()`,
  )
  const failures = row?.failures ?? 0
  if (failures === 0) return []
  return [
    {
      sessionId: null,
      what: `PostgreSQL has read ${failures} damaged pages in this database.`,
      advice: 'Look into its log for the files, check the disk, and restore a backup.',
    },
  ]
}

async function findInvalidIndexes({ schema, read }: Database): Promise<readonly Problem[]> {
  const rows = await read<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and not (i.indisvalid and i.indisready)`,
    [schema],
  )
  return rows.map(({ name }) => ({
    sessionId: null,
    what: `The index ${schema}.${name} is not valid.`,
    advice: `Run REINDEX INDEX ${schema}.${name}.`,
  }))
}

async function findDamagedContents({ tables, read }: Database): Promise<readonly Problem[]> {
  const rows = await read<{ session_id: string; id: string }>(
    `select a.session_id, a.id from ${tables.artifacts} a left join ${tables.artifact_contents} c using (sha256)
    where c.sha256 is null or encode(sha256(c.content), 'hex') <> a.sha256 order by a.session_id, a.id`,
  )
  return rows.map(({ session_id, id }) => ({
    sessionId: session_id,
    what: `The content of artifact ${id} is missing or is not what was stored.`,
    advice: 'Restore a backup if the full output matters; the transcript holds its start and end.',
  }))
}

async function findStrayWords({ tables, read }: Database): Promise<readonly Problem[]> {
  const rows = await read<{ session_id: string }>(
    `select distinct w.session_id from ${tables.message_words} w where not exists (
      select from ${tables.entries} e where e.session_id = w.session_id and e.seq = w.seq
    )`,
  )
  return rows.map(({ session_id }) => ({
    sessionId: session_id,
    what: 'The search index holds messages that are not there.',
    advice: 'Rebuild the search index.',
  }))
}

async function repairHead(query: Query, tables: Tables, id: string): Promise<void> {
  const [session] = await query(`select from ${tables.sessions} where id = $1 for update`, [id])
  if (session === undefined) throw new StoreError('not-found', `There is no session ${id}.`)
  let state = createState()
  let preview: string | null = null
  for (;;) {
    const entries = await readRange(query, tables, id, { from: state.head.lastSeq + 1, limit: WALK_ENTRIES })
    state = foldEntries(entries.map(withoutContent), state)
    preview = findPreview(entries) ?? preview
    if (entries.length < WALK_ENTRIES) break
  }
  await setHead(query, tables, id, state.head, preview)
}
