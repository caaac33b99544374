import { describeUndoRefusal, planUndo } from '@longhaul/engine/advanced'
import type { InboxKind, SessionRecord } from '@longhaul/store/port'
import { AgentError } from '../agent-error.ts'
import type { ResolvedOptions } from './active-session.ts'
import { createSessionView } from './session-view.ts'

/** A wish that is stored for the program that keeps the conversation. It is carried out at that program's next call. */
export interface LeftToHost {
  readonly ok: true
  /** The program's name. */
  readonly leftTo: string
  /** The event `request-settled` will name it. */
  readonly id: string
}

const LEFT: ReadonlySet<InboxKind> = new Set(['compact', 'undo', 'pin', 'unpin'])

/** Whether a host carries out such a wish; anything else its user does in the host. */
export function isLeftToHost(kind: InboxKind): boolean {
  return LEFT.has(kind)
}

/** Refuses an undo at once where the host would refuse it: at the host's next call, nobody would hear of it. */
export async function refuseInVain(agent: ResolvedOptions, record: SessionRecord, kind: InboxKind): Promise<void> {
  if (kind !== 'undo') return
  const { context } = await createSessionView(agent, record, null)
  const plan = planUndo(context)
  if (plan.action === 'refuse') throw new AgentError(plan.reason, describeUndoRefusal(plan, context.limits))
}
