import { isDeepStrictEqual } from 'node:util'
import { describeUndoRefusal } from '@longhaul/engine/advanced'
import type { JsonObject } from '@longhaul/engine/advanced'
import type { InboxKind } from '@longhaul/store/port'
import { AgentError } from '../agent-error.ts'
import { createActiveSession } from './active-session.ts'
import type { ActiveSession, ResolvedOptions } from './active-session.ts'
import { asHostKeepsIt } from './as-host-keeps-it.ts'
import { findPinProblem } from './find-pin-problem.ts'
import { originOf, refuseKept } from './origin-of.ts'
import { planWholeUndo } from './plan-whole-undo.ts'

/** A wish that is stored for the program that keeps the conversation. It is carried out at that program's next call. */
export interface LeftToHost {
  readonly ok: true
  /** The program's name. */
  readonly leftTo: string
  /** The event `request-settled` will name it. */
  readonly id: string
}

export interface Wish {
  readonly sessionId: string
  readonly kind: InboxKind
  readonly payload: JsonObject
  /** Nobody can have asked for it before. */
  readonly isFresh: boolean
}

export interface WishForHost {
  readonly origin: string
  /** The same wish, where it waits already: it is not stored twice, since its asker cannot see what came of the first. */
  readonly waitingId: string | null
}

/** The host that a wish is to be left to; null: the session is Longhaul's own. Throws where the host would refuse the wish. */
export async function findWishForHost(agent: ResolvedOptions, wish: Wish): Promise<WishForHost | null> {
  const { sessionId, kind, payload, isFresh } = wish
  const record = await agent.store.sessions.get(sessionId)
  const origin = record === null || record.deletedAt !== null ? null : originOf(record.header)
  if (record === null || origin === null) return null
  if (!LEFT.has(kind)) refuseKept(record)
  // Others may have been carried out already: the store knows.
  if (!isFresh) return { origin, waitingId: null }
  const waiting = await agent.store.inbox.list(sessionId)
  const same = waiting.find((item) => item.kind === kind && isDeepStrictEqual(item.payload, payload))
  if (same !== undefined) return { origin, waitingId: same.id }
  const problem = await findProblem(await createActiveSession(asHostKeepsIt(agent, record, origin), record, null), wish)
  if (problem !== null) throw problem
  return { origin, waitingId: null }
}

const LEFT: ReadonlySet<InboxKind> = new Set(['compact', 'undo', 'pin', 'unpin'])

/** Found at once: at the host's next call, nobody would hear of it. */
async function findProblem(session: ActiveSession, { kind, payload }: Wish): Promise<AgentError | null> {
  if (kind === 'undo') {
    const plan = await planWholeUndo(session)
    return plan.action === 'refuse' ? new AgentError(plan.reason, describeUndoRefusal(plan, session.limits())) : null
  }
  const problem = findPinProblem(session.context(), { kind, payload })
  return problem === null ? null : new AgentError(problem.code, problem.message)
}
