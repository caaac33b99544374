import { importTranscript } from '@longhaul/runtime'
import type { SessionRecord, SkippedLine, Store } from '@longhaul/runtime'
import { ApiFailure, isConflict } from '../api-failure.ts'
import { findSession } from '../routes/find-session.ts'
import { idOfKey } from './idempotency.ts'

export interface ImportWish {
  /** Made by the client: the sessions are named after it, so that the same import again is known as such. */
  readonly key?: string
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
export async function importText(store: Store, text: string, { key }: ImportWish): Promise<ImportedText> {
  const { sessions } =
    key === undefined
      ? await importTranscript(store, text, { onTakenId: 'rename' })
      : await importOnce(store, text, key)
  return {
    records: await Promise.all(sessions.map(({ id }) => findSession(store, id))),
    copies: sessions.flatMap(({ id, originalId, isCopy }) => (isCopy ? [{ id, of: originalId }] : [])),
    problems: sessions.flatMap(({ skipped }) => skipped),
  }
}

async function importOnce(store: Store, text: string, key: string): ReturnType<typeof importTranscript> {
  try {
    return await importTranscript(store, text, { idFor: (index) => idOfKey(`${key} ${index}`), isRepeatable: true })
  } catch (error) {
    if (!isConflict(error)) throw error
    throw new ApiFailure(
      'id-conflict',
      'Another text was imported with this key before. Send this one under a new key.',
    )
  }
}
