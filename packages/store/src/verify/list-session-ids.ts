import type { Store } from '../port/store.ts'
import { walkSessions } from '../records/walk-sessions.ts'
import { ADVICE, orProblem } from './findings.ts'
import type { Findings } from './findings.ts'

const PAGE_SESSIONS = 500

/** Every session there is, hidden or not. */
export async function listSessionIds(
  store: Store,
  findings: Findings,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const ids = new Set<string>()
  const unlisted = { sessionId: null, what: 'Sessions cannot be listed', advice: ADVICE.repair }
  const isListed = await orProblem(findings, unlisted, () => addListed(store, ids, signal))
  if (isListed === null) {
    const undumped = { sessionId: null, what: 'No backup can be made', advice: ADVICE.restore }
    await orProblem(findings, undumped, () => addDumped(store, ids, signal))
  }
  return [...ids]
}

/** A second look finds those that changed during the first and moved out of its way. */
async function addListed(store: Store, ids: Set<string>, signal?: AbortSignal): Promise<true> {
  for (let before = -1; before < ids.size;) {
    before = ids.size
    for (const deleted of [false, true]) {
      for await (const { id } of walkSessions(store.sessions, { deleted, limit: PAGE_SESSIONS })) ids.add(id)
      signal?.throwIfAborted()
    }
  }
  return true
}

/** A dump reads no heads, so that one of them cannot hide the sessions behind it. */
async function addDumped(store: Store, ids: Set<string>, signal?: AbortSignal): Promise<void> {
  for await (const record of store.dump(signal)) if (record.type === 'session') ids.add(record.id)
}
