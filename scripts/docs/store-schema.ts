import { DatabaseSync } from 'node:sqlite'
import { nameTables } from '../../packages/store/src/postgres/database/tables.ts'
import { MIGRATIONS as POSTGRES_MIGRATIONS } from '../../packages/store/src/postgres/migrations.ts'
import { migrate } from '../../packages/store/src/sqlite/migrations.ts'
import { renderTable } from './markdown-table.ts'

/** What each table holds; the generator refuses a table without a line here. */
const HOLDS: Readonly<Record<string, string>> = {
  sessions: 'one row a session: times, title, preview, the header it came with, the head',
  entries: 'the transcript, one row an entry; the entry itself is JSON text',
  inbox: 'what came from outside: waiting, or settled and kept for a while so that it is known',
  leases: 'who owns a session, until when, and what it is at',
  lease_tokens: 'the last token that was given out: no lease has that of another',
  counters: 'the last numbers that were given out in a session, also after older rows are gone',
  event_counters: 'the last number of an event of each session, also after older ones are gone',
  requests: 'manifests, each against the one before; what became of the request',
  events: 'what clients are shown while it happens; short-lived',
  artifacts: 'which session holds which full tool result, under which id',
  artifact_contents: 'the contents, once each: in PostgreSQL here, beside SQLite in files',
  artifact_removals: 'files that are to be removed, so that a crash forgets none',
  learned: 'what was learnt about a model from its bills',
  learned_windows: 'limits that endpoints named in their errors',
  memory_documents: 'memory, by name',
  memory_chunks: 'pieces of memory documents that are found as one',
  memory_words: 'the search index of memory',
  memory_vectors: 'what an embedding model made of the texts of memory chunks',
  message_words: 'the search index of messages',
  search_pending: 'messages and titles that are not in the search index yet',
  erasures: 'purged sessions whose traces are still to be wiped out',
  stagings: 'keys of sessions that are not there yet while their entries are being stored',
  migrations: 'which steps of the schema were taken, and when',
}

/** What a new store looks like: SQLite as it says itself, PostgreSQL by the steps that make it. */
export function renderStoreSchema(): string {
  const sqlite = readSqliteTables()
  const postgres = Object.keys(nameTables('longhaul'))
  const names = [...new Set([...sqlite.map(({ name }) => name), ...postgres])].toSorted()
  checkMeanings(names)
  const rows = names.map((name) => {
    const isIn = [
      sqlite.some((table) => table.name === name) ? 'SQLite' : '',
      postgres.includes(name) ? 'PostgreSQL' : '',
    ]
    return [`\`${name}\``, HOLDS[name] ?? '', isIn.filter((store) => store !== '').join(', ')]
  })
  return [
    renderTable(['table', 'holds', 'in'], rows),
    '## SQLite',
    fence(sqlite.map(({ sql }) => sql).join('\n\n')),
    '## PostgreSQL',
    'Names stand in a schema of their own, `longhaul` unless another is named.',
    ...POSTGRES_MIGRATIONS.map((step, index) => `Step ${index + 1}:\n\n${fence(dedent(step(nameTables('longhaul'))))}`),
  ].join('\n\n')
}

interface Table {
  readonly name: string
  /** With its indexes. */
  readonly sql: string
}

/** Tables that SQLite makes for a virtual one are its own business. */
function readSqliteTables(): readonly Table[] {
  const connection = new DatabaseSync(':memory:')
  try {
    migrate(connection, ':memory:')
    const tables = connection
      .prepare(`SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' ORDER BY name`)
      .all()
      .map(({ name }) => String(name))
    const statements = connection.prepare(
      `SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC, name`,
    )
    return tables
      .filter((name) => !name.startsWith('sqlite_'))
      .map((name) => ({
        name,
        sql: statements
          .all(name)
          .map(({ sql }) => `${dedent(String(sql))};`)
          .join('\n'),
      }))
  } finally {
    connection.close()
  }
}

function fence(sql: string): string {
  return `\`\`\`sql\n${sql}\n\`\`\``
}

/** Takes away the indentation that the statements have in the code. */
function dedent(sql: string): string {
  const lines = sql.split('\n').map((line) => line.trimEnd())
  const start = lines.findIndex((line) => line !== '')
  const own = lines.slice(start, lines.findLastIndex((line) => line !== '') + 1)
  const indents = own.slice(1).flatMap((line) => (line === '' ? [] : [line.search(/\S/)]))
  const common = Math.min(...indents, own[0]?.startsWith(' ') === true ? own[0].search(/\S/) : Infinity)
  return own.map((line) => (line.startsWith(' ') && Number.isFinite(common) ? line.slice(common) : line)).join('\n')
}

function checkMeanings(names: readonly string[]): void {
  const missing = names.filter((name) => HOLDS[name] === undefined)
  const gone = Object.keys(HOLDS).filter((name) => !names.includes(name))
  if (missing.length + gone.length === 0) return
  throw new Error(
    `store-schema.ts lacks ${missing.join(', ') || 'nothing'} and has ${gone.join(', ') || 'nothing'} too many`,
  )
}
