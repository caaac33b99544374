import type { Store } from '@longhaul/runtime'
import { callsTools } from './turn-end.ts'

/** More than any round of tools leaves behind. */
const LAST_ENTRIES = 50

/** The transcript ends with something that was not answered. */
export async function owesAnswer(store: Pick<Store, 'entries'>, sessionId: string): Promise<boolean> {
  const entries = await store.entries.read(sessionId, { fromEnd: true, limit: LAST_ENTRIES })
  const last = entries.findLast((entry) => entry.type === 'message' || entry.type === 'reset')
  if (last?.type !== 'message') return false
  return last.role !== 'assistant' || callsTools(last)
}

/** A call of the newest answer that has no result yet. */
export async function hasOpenCall(store: Pick<Store, 'entries'>, sessionId: string, callId: string): Promise<boolean> {
  const entries = await store.entries.read(sessionId, { fromEnd: true, limit: LAST_ENTRIES })
  const parts = entries.flatMap((entry) => (entry.type === 'message' ? entry.parts : []))
  const has = (type: string): boolean =>
    parts.some((part) => part.type === type && 'toolCallId' in part && part.toolCallId === callId)
  return has('tool-call') && !has('tool-result')
}

/** Something waits, is being answered, or is being done after an answer. */
export async function isAtWork(
  store: Pick<Store, 'entries' | 'inbox' | 'events' | 'leases'>,
  sessionId: string,
): Promise<boolean> {
  if ((await store.inbox.list(sessionId)).length > 0 || (await owesAnswer(store, sessionId))) return true
  if ((await store.leases.getOwner(sessionId)) === null) return false
  const newest = await store.events.getLastId(sessionId)
  const [last] = await store.events.read(sessionId, Math.max(0, newest - 1), 1)
  return last !== undefined && last.event['type'] !== 'done' && last.event['type'] !== 'request-settled'
}
