import { importTranscript } from '@longhaul/runtime'
import type { SessionRecord, SkippedLine, Store } from '@longhaul/runtime'
import { ApiFailure, isConflict } from '../api-failure.ts'
import { findSession } from '../routes/find-session.ts'
import { idOfKey } from './idempotency.ts'

export interface ImportWish {
  /** Where an id is taken: a new one instead of a refusal. */
  readonly mayRename: boolean
  /** Made by the client: the sessions are named after it, so that the same import again is known as such. */
  readonly key?: string
}

export interface ImportedText {
  readonly records: readonly SessionRecord[]
  readonly problems: readonly SkippedLine[]
}

/** Each session whole or not at all. An import that a crash cut short is completed by sending it again under its key. */
export async function importText(store: Store, text: string, { mayRename, key }: ImportWish): Promise<ImportedText> {
  const { sessions } =
    key === undefined
      ? await importTranscript(store, text, { onTakenId: mayRename ? 'rename' : 'refuse' })
      : await importOnce(store, text, key)
  return {
    records: await Promise.all(sessions.map(({ id }) => findSession(store, id))),
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
