import { isSearchable } from '@longhaul/engine/advanced'
import type { Problem } from '../port/store.ts'
import { hashContent } from '../records/hash-content.ts'
import { StoreError } from '../store-error.ts'
import type { ArtifactFiles } from './contents/artifact-files.ts'
import type { Database } from './database/database.ts'
import type { Row } from './database/run-in-thread.ts'
import { toStoreError } from './database/sqlite-error.ts'
import { readSoundEntryRow } from './rows/entry-rows.ts'
import type { EntryRow } from './rows/entry-rows.ts'

const ADVICE = {
  restore: 'Restore a backup; what can still be read can be exported before.',
  rebuild: 'Rebuild the search index.',
  remove: 'It does no harm but takes up space: delete the file.',
} as const

/** What reading through the port cannot show: pages, references between tables, indexes, files. */
export async function checkDatabase(
  db: Database,
  files: ArtifactFiles,
  signal?: AbortSignal,
): Promise<readonly Problem[]> {
  const checks = [() => findDamagedPages(db), () => findLooseRows(db), () => findFileFaults(db, files, signal)]
  const problems: Problem[] = []
  for (const check of checks) {
    signal?.throwIfAborted()
    problems.push(...(await orProblem(db, check)))
  }
  return problems
}

/** Damage that stops one check must not hide what the others find. */
async function orProblem(db: Database, check: () => Promise<readonly Problem[]>): Promise<readonly Problem[]> {
  try {
    return await check()
  } catch (error) {
    const known = toStoreError(error, db.file)
    if (!(known instanceof StoreError) || known.code !== 'damaged') throw known
    return [{ sessionId: null, what: known.message, advice: ADVICE.restore }]
  }
}

async function findDamagedPages(db: Database): Promise<readonly Problem[]> {
  const [rows = []] = await db.runInThread('PRAGMA integrity_check')
  const found = rows.map((row) => String(row['integrity_check'])).filter((line) => line !== 'ok')
  return found.map((line) => ({ sessionId: null, what: `${db.file}: ${line}.`, advice: ADVICE.restore }))
}

/** What a purge is still wiping out, or an import is still storing, belongs to nobody, and that is right. */
const IS_BETWEEN = 'IN (SELECT session_key FROM erasures UNION ALL SELECT session_key FROM stagings)'

const LOOSE_ROWS = {
  dangling: 'SELECT "table" AS name, parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2',
  orphans: ['entries', 'requests', 'events']
    .map(
      (table) => `SELECT '${table}' AS name, count(*) AS rows FROM ${table}
                  WHERE session_key NOT IN (SELECT key FROM sessions) AND NOT session_key ${IS_BETWEEN}`,
    )
    .join(' UNION ALL '),
  unindexed: `SELECT place, entry FROM entries WHERE type = 'message' AND NOT session_key ${IS_BETWEEN}
              AND place NOT IN (SELECT id FROM message_words_docsize) AND NOT EXISTS
              (SELECT 1 FROM search_pending AS due WHERE due.session_key = entries.session_key AND seq >= from_seq)`,
  unfounded: `SELECT count(*) AS rows FROM message_words_docsize WHERE NOT id >> 28 ${IS_BETWEEN} AND CASE id & 268435455
              WHEN 0 THEN id >> 28 NOT IN (SELECT key FROM sessions) ELSE id NOT IN (SELECT place FROM entries) END`,
} as const

async function findLooseRows(db: Database): Promise<readonly Problem[]> {
  const [dangling = [], orphans = [], unindexed = [], unfounded = []] = await db.runInThread(
    LOOSE_ROWS.dangling,
    LOOSE_ROWS.orphans,
    LOOSE_ROWS.unindexed,
    LOOSE_ROWS.unfounded,
  )
  const count = (row: Row | undefined) => Number(row?.['rows'])
  const unfound = unindexed.filter((row) => isUnfound(row as unknown as EntryRow)).length
  const astray = count(unfounded[0])
  return [
    ...[...dangling, ...orphans.filter((row) => count(row) > 0)].map((row) => ({
      sessionId: null,
      what: `${count(row)} rows of ${String(row['name'])} belong to nothing.`,
      advice: ADVICE.restore,
    })),
    ...(unfound > 0 ? [indexProblem(`${unfound} messages are not in the search index.`)] : []),
    ...(astray > 0 ? [indexProblem(`${astray} rows of the search index stand for no message.`)] : []),
  ]
}

/** What nobody could search for has no place in the index. */
function isUnfound(row: EntryRow): boolean {
  const entry = readSoundEntryRow(row, 'unknown')
  return entry !== null && isSearchable(entry)
}

function indexProblem(what: string): Problem {
  return { sessionId: null, what, advice: ADVICE.rebuild }
}

async function findFileFaults(db: Database, files: ArtifactFiles, signal?: AbortSignal): Promise<readonly Problem[]> {
  const known = db.connection.prepare(
    'SELECT 1 FROM artifact_contents WHERE sha256 = ?1 UNION ALL SELECT 1 FROM artifact_removals WHERE sha256 = ?1',
  )
  const held = db.connection.prepare('SELECT 1 FROM artifacts WHERE sha256 = ? LIMIT 1')
  const problems: Problem[] = []
  for await (const { sha256, session_id: sessionId } of walkHeld(db)) {
    signal?.throwIfAborted()
    const bytes = await files.read(sha256)
    if (bytes !== null && hashContent(bytes) === sha256) continue
    // Deleted since it was listed.
    if (!(await db.read(() => held.get(sha256) !== undefined))) continue
    const what = `The file of artifact content ${sha256} ${bytes === null ? 'is gone' : 'has changed'}.`
    problems.push({ sessionId, what, advice: ADVICE.restore })
  }
  for (const sha256 of await files.list()) {
    const isKnown = await db.read(() => known.get(sha256) !== undefined)
    if (isKnown || !files.has(sha256)) continue
    problems.push({ sessionId: null, what: `Nobody holds the artifact file ${sha256}.`, advice: ADVICE.remove })
  }
  return problems
}

interface HeldRow {
  readonly sha256: string
  /** One of those that hold it. */
  readonly session_id: string
}

async function* walkHeld(db: Database): AsyncGenerator<HeldRow> {
  const select = db.connection.prepare(
    `SELECT sha256, min(sessions.id) AS session_id FROM artifacts JOIN sessions ON key = session_key
     WHERE sha256 > ? GROUP BY sha256 ORDER BY sha256 LIMIT 100`,
  )
  for (let last = ''; ;) {
    const after = last
    const rows = (await db.read(() => select.all(after))) as unknown as HeldRow[]
    yield* rows
    const end = rows.at(-1)
    if (end === undefined) return
    last = end.sha256
  }
}
