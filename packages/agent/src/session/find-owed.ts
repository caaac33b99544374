import { isCurrentHead } from '@longhaul/engine/advanced'
import type { EntryRef } from '@longhaul/engine/advanced'
import type { SessionRecord, Store } from '@longhaul/store/port'
import { originOf } from './origin-of.ts'

/**
 * The user's message that still waits for its answer; null: there is none. What a transcript ended with when it was
 * imported was asked of somebody else: answering it would cost money, and tools might act on it. What was asked of a host
 * is answered by the host.
 */
export function findOwed({ head, header }: Pick<SessionRecord, 'head' | 'header'>): EntryRef | null {
  const { importedSeq } = header
  if (originOf(header) !== null) return null
  const isOurs = typeof importedSeq !== 'number' || (head.owed?.seq ?? 0) > importedSeq
  return isOurs ? head.owed : null
}

/** The same of a session that somebody else may have in hand; null also where there is no such session. */
export async function readOwed(
  store: Pick<Store, 'sessions' | 'repairHead'>,
  sessionId: string,
): Promise<EntryRef | null> {
  const record = await store.sessions.get(sessionId)
  if (record === null || isCurrentHead(record.head)) return record && findOwed(record)
  // Folded by an older version, which did not ask this.
  await store.repairHead(sessionId)
  const repaired = await store.sessions.get(sessionId)
  return repaired && findOwed(repaired)
}
