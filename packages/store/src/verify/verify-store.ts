import type { Problem, Store } from '../port/store.ts'
import { ADVICE, createFindings, orProblem } from './findings.ts'
import { listSessionIds } from './list-session-ids.ts'
import { verifySession } from './verify-session.ts'
import type { SessionResult } from './verify-session.ts'

export interface VerifyOptions {
  /** Puts right what is only a cache: heads, titles, previews. Entries are never touched. */
  readonly repair?: boolean
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly sessions: number; readonly ofSessions: number }) => void
}

export interface VerifyReport {
  readonly sessions: number
  readonly entries: number
  /** Damage, with what to do about it. */
  readonly problems: readonly Problem[]
  /** What looks like damage and is not, such as a tool result that retention has deleted. */
  readonly notices: readonly Problem[]
  /** Sessions whose head was put right. */
  readonly repaired: readonly string[]
}

/**
 * Reads everything a store holds, hidden sessions too, and compares it with what it should be: numbers without a gap,
 * ids that occur once, references that lead somewhere, heads that are the fold of their entries. Works while the store is
 * in use. Problems that a repair has put right are listed all the same.
 */
export async function verifyStore(store: Store, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { signal, onProgress, repair = false } = options
  const findings = createFindings()
  for (const { sessionId, what, advice } of await store.check(signal)) findings.addProblem(sessionId, what, advice)
  const ids = await listSessionIds(store, findings, signal)
  const repaired: string[] = []
  let entries = 0
  for (const [index, id] of ids.entries()) {
    signal?.throwIfAborted()
    const unread = { sessionId: id, what: 'It cannot be read', advice: ADVICE.repair }
    const result = await orProblem(findings, unread, async () => {
      const session = await store.sessions.get(id)
      // Purged since it was listed.
      return session === null ? NOTHING : verifySession(store, session, findings, signal)
    })
    entries += result?.entries ?? 0
    if (repair && (result === null || result.needsRepair)) {
      const unrepaired = { sessionId: id, what: 'Its head cannot be made anew', advice: ADVICE.restore }
      if ((await orProblem(findings, unrepaired, () => repairHead(store, id))) === true) repaired.push(id)
    }
    onProgress?.({ sessions: index + 1, ofSessions: ids.length })
  }
  const { problems, notices } = findings
  return { sessions: ids.length, entries, problems, notices, repaired }
}

const NOTHING: SessionResult = { entries: 0, needsRepair: false }

async function repairHead(store: Store, id: string): Promise<true> {
  await store.repairHead(id)
  return true
}
