import { escapeIdentifier } from 'pg'
import { StoreError } from '../store-error.ts'
import type { Database } from './database/database.ts'
import type { Query } from './database/statements.ts'
import type { Tables } from './database/tables.ts'

/** A step is never changed once it was released: a database that has taken it looks as it says. */
export const MIGRATIONS: readonly ((tables: Tables) => string)[] = [
  (tables) =>
    [createSessions, createInboxAndLeases, createRequestsAndEvents, createArtifacts, createLearned]
      .map((create) => create(tables))
      .join('\n'),
  createMemory,
  createMemoryVectors,
]

export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Brings the schema up to this version, step by step, each in a transaction. Of several servers that start at once, one
 * does a step and the others wait for it. Rejects with `newer-schema`, and changes nothing, if a newer Longhaul was here.
 */
export async function migrate(database: Database): Promise<void> {
  await checkServer(database)
  let version = await database.transaction((query) => readVersion(query, database))
  while (version < SCHEMA_VERSION) {
    version = await database.transaction((query) => takeStep(query, database))
  }
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      'newer-schema',
      `The schema ${database.schema} was made by a newer version of Longhaul (${version}, this one knows ${SCHEMA_VERSION}). It was left as it is: update Longhaul, or name another schema.`,
    )
  }
}

/** `pg_current_snapshot` came with 13, and everything older is no longer looked after. */
const OLDEST_SERVER = 13

async function checkServer({ read }: Database): Promise<void> {
  const [row] = await read<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::integer / 10000 as version, current_setting('server_encoding') as encoding`,
  )
  const { version = 0, encoding = '' } = row ?? {}
  if (version < OLDEST_SERVER) {
    throw new StoreError('unavailable', `Longhaul needs PostgreSQL ${OLDEST_SERVER} or newer; this is ${version}.`)
  }
  if (encoding !== 'UTF8') {
    throw new StoreError('unavailable', `Longhaul needs a database with the encoding UTF8; this one has ${encoding}.`)
  }
}

/** The lock ends with the transaction, so that a pooler between us and the server cannot keep it. */
async function takeStep(query: Query, { schema, tables }: Database): Promise<number> {
  await query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`longhaul migrations ${schema}`])
  const version = await readVersion(query, { schema, tables })
  const step = MIGRATIONS[version]
  if (step === undefined) return version
  if (version === 0) await createSchema(query, schema, tables)
  for (const statement of step(tables).split(';')) if (statement.trim() !== '') await query(statement)
  await query(`insert into ${tables.migrations} (version, applied_at) values ($1, clock_timestamp())`, [version + 1])
  return version + 1
}

/** Looks into the catalog: `to_regclass` answers from a cache, in which what another server has just made is missing. */
async function readVersion(query: Query, { schema, tables }: Pick<Database, 'schema' | 'tables'>): Promise<number> {
  const found = await query(`select from pg_tables where schemaname = $1 and tablename = 'migrations'`, [schema])
  if (found.length === 0) return 0
  const [row] = await query<{ version: number }>(
    `select coalesce(max(version), 0) as version from ${tables.migrations}`,
  )
  return row?.version ?? 0
}

/** Asks first, because a user who may not create schemas may still use the one that was made for it. */
async function createSchema(query: Query, schema: string, tables: Tables): Promise<void> {
  const found = await query(`select from pg_namespace where nspname = $1`, [schema])
  if (found.length === 0) await query(`create schema ${escapeIdentifier(schema)}`)
  await query(`create table ${tables.migrations} (version integer primary key, applied_at timestamptz not null)`)
}

/**
 * JSON stands in text columns, so that its keys keep their order; times are numbers as they were handed in. Ids are compared by their bytes, whatever the language
 * of the database. Entries, words and events refer to their session without a foreign key: whoever writes them holds a
 * row of that session, and checking it again for every row would slow down appends.
 *
 * An append changes no column that an index rests on, which makes it much cheaper. So `listed_at` and `listed_seq` stand
 * beside `updated_at` and `last_seq`: they lag behind while a session has an owner, and are the same without one.
 */
function createSessions(t: Tables): string {
  return `
    create table ${t.sessions} (
      id text collate "C" primary key,
      created_at bigint not null,
      updated_at bigint not null,
      deleted_at double precision,
      title_words tsvector,
      preview text,
      header text not null,
      head text not null,
      last_seq bigint not null,
      epoch bigint not null,
      lease_token bigint not null default 0,
      lease_owner_id text,
      listed_at bigint not null,
      listed_seq bigint not null,
      indexed_seq bigint not null default 0
    ) with (fillfactor = 50);
    create index sessions_by_change on ${t.sessions} (listed_at desc, id);
    create index sessions_to_index on ${t.sessions} (id) where listed_seq > indexed_seq;

    create table ${t.entries} (
      session_id text collate "C" not null,
      seq bigint not null,
      id text collate "C" not null,
      at double precision not null,
      type text not null,
      body text not null,
      primary key (session_id, seq),
      unique (session_id, id)
    );
    create table ${t.message_words} (
      session_id text collate "C" not null,
      seq bigint not null,
      part integer not null,
      words tsvector not null,
      primary key (session_id, seq, part)
    );
    create index message_words_by_word on ${t.message_words} using gin (words);
  `
}

function createInboxAndLeases(t: Tables): string {
  return `
    create table ${t.inbox} (
      session_id text collate "C" not null references ${t.sessions} on delete cascade,
      id text collate "C" not null,
      position bigint generated by default as identity,
      at double precision not null,
      kind text not null,
      payload text not null,
      settled_at double precision,
      primary key (session_id, id)
    );
    create index inbox_waiting on ${t.inbox} (session_id, position) where settled_at is null;
    create index inbox_by_age on ${t.inbox} using brin (settled_at);

    create sequence ${t.lease_tokens};
    create table ${t.leases} (
      session_id text collate "C" primary key references ${t.sessions} on delete cascade,
      token bigint not null,
      owner_id text not null,
      owner text not null,
      expires_at timestamptz not null,
      work text
    ) with (fillfactor = 50);
  `
}

/**
 * Streaming counts events ten times a second: in the row of the session that would hold up its appends. Half-empty pages
 * leave room for what is updated that often.
 */
function createRequestsAndEvents(t: Tables): string {
  return `
    create table ${t.requests} (
      session_id text collate "C" not null references ${t.sessions} on delete cascade,
      number bigint not null,
      at double precision not null,
      is_full boolean not null,
      manifest text not null,
      outcome text,
      primary key (session_id, number)
    );
    create index requests_by_age on ${t.requests} using brin (at);

    create table ${t.event_counters} (
      session_id text collate "C" primary key references ${t.sessions} on delete cascade,
      last_id bigint not null
    ) with (fillfactor = 50);
    create table ${t.events} (
      session_id text collate "C" not null,
      id bigint not null,
      at double precision not null,
      event text not null,
      primary key (session_id, id)
    );
    create index events_by_age on ${t.events} using brin (at);
  `
}

function createArtifacts(t: Tables): string {
  return `
    create table ${t.artifact_contents} (
      sha256 text collate "C" primary key,
      content bytea not null
    );
    create table ${t.artifacts} (
      session_id text collate "C" not null references ${t.sessions} on delete cascade,
      id text collate "C" not null,
      at double precision not null,
      bytes bigint not null,
      sha256 text collate "C" not null constraint artifact_content_held references ${t.artifact_contents},
      primary key (session_id, id)
    );
    create index artifacts_by_content on ${t.artifacts} (sha256);
    create index artifacts_by_age on ${t.artifacts} using brin (at);
  `
}

function createLearned(t: Tables): string {
  return `
    create table ${t.learned} (
      model text collate "C" not null,
      estimator text collate "C" not null,
      learnt text not null,
      primary key (model, estimator)
    );
    create table ${t.learned_windows} (
      model text collate "C" primary key,
      tokens double precision not null,
      at double precision not null
    );
  `
}

function createMemory(t: Tables): string {
  return `
    create table ${t.memory_documents} (
      name text collate "C" primary key,
      updated_at double precision not null,
      text text not null
    );
    create table ${t.memory_chunks} (
      document text collate "C" not null references ${t.memory_documents} on delete cascade,
      number integer not null,
      kind text not null,
      line integer not null,
      text text not null,
      words tsvector not null,
      primary key (document, number)
    );
    create index memory_chunks_by_word on ${t.memory_chunks} using gin (words);
  `
}

/**
 * By text, not by chunk: a document that is put anew has new chunks, most of them with the same texts. `digest` stands for
 * the text, which may be too long for an index.
 */
function createMemoryVectors(t: Tables): string {
  return `
    create table ${t.memory_vectors} (
      digest bytea not null,
      model text collate "C" not null,
      vector bytea not null,
      primary key (digest, model)
    );
  `
}
