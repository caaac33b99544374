import { importTranscript, readTranscripts } from '@longhaul/runtime'
import type { SessionRecord, SkippedLine, Store } from '@longhaul/runtime'
import { isConflict } from '../api-failure.ts'
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

/** All of it or nothing. */
export async function importText(store: Store, text: string, { mayRename, key }: ImportWish): Promise<ImportedText> {
  if (key !== undefined) return importOnce(store, text, (index) => idOfKey(`${key} ${index}`))
  const { sessions } = await importTranscript(store, text, { onTakenId: mayRename ? 'rename' : 'refuse' })
  return gather(store, sessions)
}

async function importOnce(store: Store, text: string, idFor: (index: number) => string): Promise<ImportedText> {
  try {
    const { sessions } = await importTranscript(store, text, { idFor })
    return await gather(store, sessions)
  } catch (error) {
    if (!isConflict(error)) throw error
    return gather(
      store,
      readTranscripts(text).map(({ skipped }, index) => ({ id: idFor(index), skipped })),
    )
  }
}

async function gather(
  store: Store,
  stored: readonly { readonly id: string; readonly skipped: readonly SkippedLine[] }[],
): Promise<ImportedText> {
  return {
    records: await Promise.all(stored.map(({ id }) => findSession(store, id))),
    problems: stored.flatMap(({ skipped }) => skipped),
  }
}
