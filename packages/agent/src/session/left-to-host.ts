import { describeUndoRefusal } from '@longhaul/engine/advanced'
import type { InboxKind, SessionRecord } from '@longhaul/store/port'
import { AgentError } from '../agent-error.ts'
import { createActiveSession } from './active-session.ts'
import type { ResolvedOptions } from './active-session.ts'
import { asHostKeepsIt } from './as-host-keeps-it.ts'
import { planWholeUndo } from './plan-whole-undo.ts'

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
export async function refuseVainUndo(agent: ResolvedOptions, record: SessionRecord, origin: string): Promise<void> {
  const session = await createActiveSession(asHostKeepsIt(agent, record, origin), record, null)
  const plan = await planWholeUndo(session)
  if (plan.action === 'refuse') throw new AgentError(plan.reason, describeUndoRefusal(plan, session.limits()))
}
