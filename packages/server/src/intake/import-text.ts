import type { HonoRequest } from 'hono'
import { importTranscript } from '@longhaul/runtime'
import type { SessionRecord, SkippedLine, Store } from '@longhaul/runtime'
import { ApiFailure, isConflict } from '../api-failure.ts'
import { readTextPieces } from '../guard/read-body.ts'
import { findSession } from '../routes/find-session.ts'
import { idOfKey } from './idempotency.ts'

export interface ImportWish {
  /** Its body is the text; it is read as it comes. */
  readonly request: HonoRequest
  /** Made by the client: the sessions are named after it, so that the same import again is known as such. */
  readonly key?: string
  /** Ends it; what is not stored by then is not. */
  readonly signal: AbortSignal
}

export interface ImportedText {
  readonly records: readonly SessionRecord[]
  /** Sessions that were there already, and are stored once more under a new id. */
  readonly copies: readonly { readonly id: string; readonly of: string }[]
  readonly problems: readonly SkippedLine[]
}

/**
 * Each session whole or not at all; one whose id is taken becomes a copy under a new id. An import that a crash cut short
 * is completed by sending it again under its key.
 */
export async function importText(store: Store, wish: ImportWish): Promise<ImportedText> {
  const { sessions } =
    wish.key === undefined
      ? await importTranscript(store, readTextPieces(wish.request), { onTakenId: 'rename', ...limitsOf(wish) })
      : await importOnce(store, wish, wish.key)
  return {
    records: await Promise.all(sessions.map(({ id }) => findSession(store, id))),
    copies: sessions.flatMap(({ id, originalId, isCopy }) => (isCopy ? [{ id, of: originalId }] : [])),
    problems: sessions.flatMap(({ skipped }) => skipped).slice(0, MAX_PROBLEMS),
  }
}

/** More than anybody reads. */
const MAX_PROBLEMS = 2_000

/** Many times what a text of the allowed length takes, unless it was written to take more. */
const MAX_MEMORY_MB = 1_024

function limitsOf({ signal }: ImportWish) {
  return { signal, maxMemoryMb: MAX_MEMORY_MB }
}

async function importOnce(store: Store, wish: ImportWish, key: string): ReturnType<typeof importTranscript> {
  try {
    const idFor = (index: number): string => idOfKey(`${key} ${index}`)
    return await importTranscript(store, readTextPieces(wish.request), { idFor, isRepeatable: true, ...limitsOf(wish) })
  } catch (error) {
    if (!isConflict(error)) throw error
    throw new ApiFailure(
      'id-conflict',
      'Another text was imported with this key before. Send this one under a new key.',
    )
  }
}
