import type { SessionRecord, Store } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'

/** A hidden session is as good as none. */
export async function findSession(store: Pick<Store, 'sessions'>, id: string): Promise<SessionRecord> {
  const record = await store.sessions.get(id)
  if (record === null || record.deletedAt !== null) throw new ApiFailure('not-found', `There is no session ${id}.`)
  return record
}
