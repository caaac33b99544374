import { randomUUID } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import { toJsonObject } from '@longhaul/engine/advanced'
import type { JsonObject } from '@longhaul/engine/advanced'
import type { SkippedLine, TranscriptFormat } from '../jsonl/imported-session.ts'
import type { NewSession } from '../port/sessions.ts'
import type { Store } from '../port/store.ts'
import { checkNewSession } from '../records/check-append.ts'
import { StoreError } from '../store-error.ts'
import { readText } from './read-text.ts'
import type { ReadOptions, ReadSession, TextRead, TextToRead } from './read-text.ts'

export interface ImportOptions extends ReadOptions {
  /** What becomes of a session whose id is taken: the import is refused, or it gets a new id. */
  readonly onTakenId?: 'refuse' | 'rename'
  /** Names the sessions instead of the transcript, counted from 0: whoever imports the same again finds the ids taken. */
  readonly idFor?: (index: number) => string
  /**
   * Keeps a hash of the text in the header of each session. One that is there already under its id and hash was stored by
   * an earlier attempt, and stays: what was cut short is completed.
   */
  readonly isRepeatable?: boolean
  /** Artifacts count as this new, whatever the age of the transcript; without it, now. */
  readonly now?: number
}

export interface ImportReport {
  readonly sessions: readonly StoredTranscript[]
}

export interface StoredTranscript {
  readonly id: string
  /** What the transcript calls it. */
  readonly originalId: string
  /** A session of its original id was there already: this one stands beside it. */
  readonly isCopy: boolean
  readonly format: TranscriptFormat
  readonly entryCount: number
  readonly artifactCount: number
  /** What could not be read, by line. The rest is stored. */
  readonly skipped: readonly SkippedLine[]
}

/**
 * Stores every session of a text, in any format that `readTranscripts` knows. All that can be refused is refused before
 * anything is stored; each session is stored whole or not at all. The text may come in pieces; a long one is never here
 * as a whole, and others have their turns while it is read and stored.
 */
export async function importTranscript(
  store: Store,
  text: TextToRead,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const read = await readText(text, options)
  try {
    return await storeAll(store, read, options)
  } catch (error) {
    // However it was stopped: whoever stopped it says why.
    options.signal?.throwIfAborted()
    throw error
  } finally {
    await read.close()
  }
}

async function storeAll(store: Store, { sessions, sha256 }: TextRead, options: ImportOptions): Promise<ImportReport> {
  const { onTakenId = 'refuse', idFor, isRepeatable = false, now = Date.now(), signal } = options
  const mark: JsonObject = isRepeatable ? { importHash: sha256 } : {}
  const imports = sessions.map((read, index) => toImport(read, idFor?.(index) ?? read.session.id, mark))
  if (imports.every(isUnreadable)) throw new StoreError('unreadable-transcript', NOTHING_READABLE)
  for (const item of imports) checkImport(item)
  const { taken, stays } = await findTaken(store, imports, mark)
  if (taken.size > 0 && onTakenId === 'refuse') throw takenError([...taken].map(({ session }) => session.id))
  const stored: StoredTranscript[] = []
  for (const item of imports) {
    signal?.throwIfAborted()
    // Whatever else this process is at has its turn in between, leases above all.
    await nextTick()
    const artifacts = (await item.read.readArtifacts()).map(({ id, content }) => ({ id, content }))
    let session: NewSession = { ...(taken.has(item) ? renamed(item) : item.session), artifacts }
    await namingStored(stored, async () => {
      if (!stays.has(item)) session = await create(store, session, onTakenId)
    })
    stored.push(toReport(item, session.id, await isThere(store, item, session.id)))
    await namingStored(stored, () => renewArtifacts(store, session, now))
  }
  return { sessions: stored }
}

/** They are held by their session in one transaction. */
const MAX_ARTIFACTS = 10_000

/** The entries were looked at when they were read. */
function checkImport({ read, session: { id, createdAt } }: Import): void {
  checkNewSession({ id, createdAt })
  if (read.artifactCount > MAX_ARTIFACTS)
    throw new StoreError('invalid', `Session ${id} has more than ${MAX_ARTIFACTS} artifacts. Leave some out.`)
}

function renamed({ session }: Pick<Import, 'session'>): NewSession {
  return { ...session, id: randomUUID() }
}

/** The session as it was stored. Its id may have been taken since it was looked for. */
async function create(store: Store, session: NewSession, onTakenId: 'refuse' | 'rename'): Promise<NewSession> {
  try {
    await store.sessions.create(session)
    return session
  } catch (error) {
    if (onTakenId === 'refuse' || !(error instanceof StoreError) || error.code !== 'id-conflict') throw error
    const other = renamed({ session })
    await store.sessions.create(other)
    return other
  }
}

/** Whether a session has the id that the transcript gave this one, which was stored under another. */
async function isThere(store: Store, { read }: Import, id: string): Promise<boolean> {
  return read.session.id !== id && (await store.sessions.get(read.session.id)) !== null
}

interface Import {
  readonly read: ReadSession
  readonly session: NewSession
}

/**
 * Every field of the transcript's first line is kept in the header, so that an export says it again. `importedSeq` is the
 * last entry that was not made here: nobody here is owed an answer to what comes before.
 */
function toImport(read: ReadSession, id: string, mark: JsonObject): Import {
  const { id: _id, createdAt, ...header } = read.session
  return {
    read,
    session: {
      id,
      // Files written by hand hold anything.
      createdAt: Number.isSafeInteger(createdAt) ? createdAt : 0,
      header: { ...toJsonObject(header), ...mark, importedSeq: read.lastSeq },
      entries: read.entries,
    },
  }
}

const NOTHING_READABLE = 'The transcript holds no message that can be read.'

function isUnreadable({ read: { entryCount, skipped } }: Import): boolean {
  return entryCount === 0 && skipped.length > 0
}

interface Found {
  /** In the store, or by an earlier session of the same text. */
  readonly taken: ReadonlySet<Import>
  /** Stored by an earlier attempt at the same import. */
  readonly stays: ReadonlySet<Import>
}

async function findTaken(store: Store, imports: readonly Import[], { importHash }: JsonObject): Promise<Found> {
  const seen = new Set<string>()
  const taken = new Set<Import>()
  const stays = new Set<Import>()
  for (const item of imports) {
    await nextTick()
    const { id } = item.session
    const known = await store.sessions.get(id)
    const isSame = importHash !== undefined && known?.header['importHash'] === importHash
    if (isSame && !seen.has(id)) stays.add(item)
    else if (known !== null || seen.has(id)) taken.add(item)
    seen.add(id)
  }
  return { taken, stays }
}

function takenError(ids: readonly string[]): StoreError {
  const which = ids.length === 1 ? `Session ${ids[0]} is` : `Sessions ${ids.join(', ')} are`
  return new StoreError(
    'id-conflict',
    `${which} there already; nothing was imported. Ask for a new id to import it again.`,
  )
}

/** A failure half-way through says which sessions are in, so that nobody imports them twice. */
async function namingStored(stored: readonly StoredTranscript[], step: () => Promise<unknown>): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (!(error instanceof StoreError) || stored.length === 0) throw error
    const ids = stored.map(({ id }) => id).join(', ')
    throw new StoreError(error.code, `${error.message} Imported before that: ${ids}.`, { cause: error })
  }
}

/** They would be as old as the session otherwise, and retention would delete them at once. */
async function renewArtifacts(store: Store, { id, artifacts = [] }: NewSession, now: number): Promise<void> {
  for (const artifact of artifacts) await store.artifacts.put({ sessionId: id, at: now, ...artifact })
}

function toReport({ read }: Import, id: string, isCopy: boolean): StoredTranscript {
  return {
    id,
    originalId: read.session.id,
    isCopy,
    format: read.format,
    entryCount: read.entryCount,
    artifactCount: read.artifactCount,
    skipped: read.skipped,
  }
}
