import type { DatabaseSync } from 'node:sqlite'
import { APPLICATION_ID, checkVersion } from './database/recognise-file.ts'

/** Makes the schema of one version out of the one before it. */
export type Migration = (connection: DatabaseSync) => void

/** The version of a database is how many of these it has behind it. One that was released is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  (connection) => {
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    connection.exec(SESSIONS + INBOX_AND_LEASES + REQUESTS_AND_EVENTS + ARTIFACTS + LEARNED + SEARCH)
  },
  (connection) => connection.exec(MEMORY),
  (connection) => connection.exec(MEMORY_VECTORS),
  (connection) => connection.exec(LISTED_AT),
  (connection) => connection.exec(STAGINGS),
]

/** Each version in a transaction of its own together with its number, so that a crash leaves a version that works. */
export function migrate(connection: DatabaseSync, file: string, migrations: readonly Migration[] = MIGRATIONS): void {
  for (;;) {
    connection.exec('BEGIN IMMEDIATE')
    try {
      // Read under the lock: another process may be at the same.
      const version = readVersion(connection)
      checkVersion(file, version, migrations.length)
      const next = migrations[version]
      next?.(connection)
      if (next !== undefined) connection.exec(`PRAGMA user_version = ${version + 1}`)
      connection.exec('COMMIT')
      if (next === undefined) return
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK')
      throw error
    }
  }
}

export function readVersion(connection: DatabaseSync): number {
  return Number(connection.prepare('PRAGMA user_version').get()?.['user_version'])
}

/**
 * What SQL does not look into is JSON text: headers, heads, entries. Entries lie by `place`, see database/place.ts. They,
 * requests and events have no foreign key: a purge deletes the session first, which hides them, and them bit by bit.
 */
const SESSIONS = `
  CREATE TABLE sessions (
    key INTEGER PRIMARY KEY AUTOINCREMENT CHECK (key < 33554432),
    id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at REAL,
    last_seq INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    title TEXT,
    preview TEXT,
    header TEXT NOT NULL,
    head TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_shown ON sessions (updated_at DESC, id) WHERE deleted_at IS NULL;
  CREATE INDEX sessions_hidden ON sessions (updated_at DESC, id) WHERE deleted_at IS NOT NULL;

  CREATE TABLE entries (
    place INTEGER PRIMARY KEY,
    session_key INTEGER NOT NULL,
    seq INTEGER NOT NULL GENERATED ALWAYS AS (place & 268435455) VIRTUAL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (session_key, id)
  ) STRICT;
`

/**
 * Tokens are counted over all sessions, so that they grow also when an id is used again after a purge. Counters stand apart
 * from the sessions: they move far more often, and a session's row is larger.
 */
const INBOX_AND_LEASES = `
  CREATE TABLE leases (
    session_key INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    token INTEGER NOT NULL,
    owner_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    expires_at REAL NOT NULL,
    work TEXT
  ) STRICT;
  CREATE TABLE lease_tokens (last INTEGER NOT NULL) STRICT;
  INSERT INTO lease_tokens (last) VALUES (0);

  CREATE TABLE counters (
    session_key INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    last_position INTEGER NOT NULL DEFAULT 0,
    last_event_id INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE inbox (
    session_key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    settled_at REAL,
    PRIMARY KEY (session_key, id)
  ) STRICT;
  CREATE INDEX inbox_waiting ON inbox (session_key, position) WHERE settled_at IS NULL;
  CREATE INDEX inbox_settled ON inbox (settled_at) WHERE settled_at IS NOT NULL;
`

const REQUESTS_AND_EVENTS = `
  CREATE TABLE requests (
    session_key INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    is_full INTEGER NOT NULL,
    manifest TEXT NOT NULL,
    outcome TEXT,
    PRIMARY KEY (session_key, number)
  ) STRICT;
  CREATE INDEX requests_by_age ON requests (at);

  CREATE TABLE events (
    session_key INTEGER NOT NULL,
    id INTEGER NOT NULL,
    at REAL NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (session_key, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX events_by_age ON events (at);
`

/** The contents are files beside the database. `artifact_removals` names those that maybe nobody holds. */
const ARTIFACTS = `
  CREATE TABLE artifact_contents (
    sha256 TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE artifacts (
    session_key INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    id TEXT NOT NULL,
    at REAL NOT NULL,
    sha256 TEXT NOT NULL REFERENCES artifact_contents,
    PRIMARY KEY (session_key, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX artifacts_by_content ON artifacts (sha256);
  CREATE INDEX artifacts_by_age ON artifacts (at);
  CREATE TABLE artifact_removals (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`

const LEARNED = `
  CREATE TABLE learned (
    model TEXT PRIMARY KEY,
    calibrations TEXT NOT NULL,
    context_window TEXT
  ) STRICT, WITHOUT ROWID;
`

/**
 * `search_pending` says of a session from where on its messages, and whether its title, wait to be indexed. `erasures` are
 * purged sessions with traces to be wiped out. A purge merges the index by itself, once, at its end: so `deletemerge` is off.
 */
const SEARCH = `
  CREATE VIRTUAL TABLE message_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'porter ascii');
  INSERT INTO message_words (message_words, rank) VALUES ('deletemerge', 0);
  CREATE TABLE search_pending (
    session_key INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    from_seq INTEGER NOT NULL,
    is_title_due INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE erasures (session_key INTEGER PRIMARY KEY) STRICT;
`

const MEMORY = `
  CREATE TABLE memory_documents (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    updated_at REAL NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE TABLE memory_chunks (
    key INTEGER PRIMARY KEY,
    document_key INTEGER NOT NULL REFERENCES memory_documents ON DELETE CASCADE,
    kind TEXT NOT NULL,
    line INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX memory_chunks_by_document ON memory_chunks (document_key);
  CREATE VIRTUAL TABLE memory_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'porter ascii');
`

/** By text, not by chunk: a document that is put anew has new chunks, most of them with the same texts. */
const MEMORY_VECTORS = `
  CREATE TABLE memory_vectors (
    text TEXT NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (text, model)
  ) STRICT;
`

/** An append changes no column that an index rests on: `listed_at` lags behind `updated_at` while a session has a lease. */
const LISTED_AT = `
  ALTER TABLE sessions ADD COLUMN listed_at INTEGER NOT NULL DEFAULT 0;
  UPDATE sessions SET listed_at = updated_at;
  DROP INDEX sessions_shown;
  DROP INDEX sessions_hidden;
  CREATE INDEX sessions_shown ON sessions (listed_at DESC, id) WHERE deleted_at IS NULL;
  CREATE INDEX sessions_hidden ON sessions (listed_at DESC, id) WHERE deleted_at IS NOT NULL;
`

/** Keys of sessions that are not there yet while their entries are: see stagings.ts. */
const STAGINGS = `
  CREATE TABLE stagings (session_key INTEGER PRIMARY KEY, renewed_at REAL NOT NULL) STRICT;
`
