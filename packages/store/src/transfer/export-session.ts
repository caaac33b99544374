import { setImmediate } from 'node:timers/promises'
import type { Entry } from '@longhaul/engine/advanced'
import type { TranscriptSession } from '../jsonl/imported-session.ts'
import { writeArtifactLine, writeEntryLine, writeSessionLine } from '../jsonl/write-longhaul.ts'
import type { SessionRecord } from '../port/sessions.ts'
import type { Store } from '../port/store.ts'
import { WALK_ENTRIES } from '../records/page.ts'
import { StoreError } from '../store-error.ts'

/**
 * A session as it stands now, hidden or not, as the lines of a transcript, line feeds included. Never more than a few
 * entries or one artifact are held at a time. `importTranscript` makes the same session of them.
 */
export async function* exportSession(store: Store, sessionId: string, signal?: AbortSignal): AsyncGenerator<string> {
  const session = await store.sessions.get(sessionId)
  if (session === null) throw new StoreError('not-found', `There is no session ${sessionId}.`)
  yield writeSessionLine(headerOf(session))
  for (let from = 1; from <= session.head.lastSeq; from += WALK_ENTRIES) {
    // Some stores answer without ever letting others have their turn.
    await setImmediate()
    signal?.throwIfAborted()
    for (const entry of await readSpan(store, session, from)) yield writeEntryLine(entry)
  }
  for (const { id } of await store.artifacts.list(sessionId)) {
    signal?.throwIfAborted()
    const content = await store.artifacts.read(sessionId, id)
    // Retention may have deleted it since it was listed.
    if (content !== null) yield writeArtifactLine({ id, content })
  }
}

/** Where its entries came from is this store's own business. */
function headerOf({ header, id, createdAt }: SessionRecord): TranscriptSession {
  const { type: _type, version: _version, id: _id, createdAt: _createdAt, importedSeq: _imported, ...fields } = header
  return { id, createdAt, ...fields }
}

/** Half a transcript must not pass for a whole one. */
async function readSpan(store: Store, { id, head }: SessionRecord, from: number): Promise<readonly Entry[]> {
  const to = Math.min(from + WALK_ENTRIES - 1, head.lastSeq)
  const entries = await store.entries.read(id, { from, to, limit: WALK_ENTRIES })
  if (entries.length === to - from + 1) return entries
  if ((await store.sessions.get(id)) === null) {
    throw new StoreError('not-found', `Session ${id} was erased while it was exported.`)
  }
  throw new StoreError(
    'damaged',
    `Entries of session ${id} between ${from} and ${to} are missing. Run \`longhaul verify\`.`,
  )
}
