import { pairTools } from '@longhaul/engine/advanced'
import type { JsonObject, State, ToolCallPart } from '@longhaul/engine/advanced'
import type { ActiveSession } from '../session/active-session.ts'
import { listMessages } from '../session/list-messages.ts'
import { walkEntries } from '../session/walk-entries.ts'
import { readNotedCalls } from '../session/work-note.ts'

/**
 * What the last owner left behind is put in order before anything else: a compaction it was at counts as failed, and
 * tool calls without a result are marked as interrupted. They are never run again: nobody knows what they had done.
 * Returns those that cannot have been run, because a person had been asked about them and had not said yes: they are
 * asked for again. The note of the last owner says which these are; a tool is not asked whether it would ask now, since
 * that may depend on files that the call itself has changed.
 */
export async function settleCrash(
  session: ActiveSession,
  abandoned: JsonObject | null,
): Promise<readonly ToolCallPart[]> {
  const open = findOpenCalls(session.log.state())
  const { asked, allowed } = readNotedCalls(abandoned)
  const mayHaveRun = new Set<string>([...allowed, ...(open.length === 0 ? [] : await findInterrupted(session))])
  const isOwed = session.owed() !== null
  const waiting = open.filter(({ toolCallId: id }) => isOwed && asked.includes(id) && !mayHaveRun.has(id))
  // Before the note of what ran is taken back: another crash in between must not make them look unasked.
  await settleOpenCalls(session, waiting, allowed)
  if (abandoned !== null) await settleWork(session, abandoned, waiting)
  return waiting
}

/** Calls of the last answer that an owner before has given up already. */
async function findInterrupted({ agent, id, log }: ActiveSession): Promise<readonly string[]> {
  const answer = listMessages(log.state()).findLast(({ message }) => message.role === 'assistant')
  const interrupted: string[] = []
  for await (const entry of walkEntries(agent.store, id, { from: (answer?.entry.seq ?? 0) + 1 })) {
    if (entry.type === 'interrupted') interrupted.push(...entry.toolCallIds)
  }
  return interrupted
}

async function settleWork(
  session: ActiveSession,
  { work }: JsonObject,
  waiting: readonly ToolCallPart[],
): Promise<void> {
  if (work === 'flush' || work === 'compaction') {
    const reason = 'interrupted: the process ended in the middle of it'
    await session.log.append([{ type: 'maintenance-failed', work, reason }])
  }
  // Calls that still wait stay noted: this owner may end before it has asked again.
  await session.work.takeOver(waiting.map(({ toolCallId }) => toolCallId))
}

/** Calls without a result will never get one, save those that are still to be run. */
export async function settleOpenCalls(
  { log, agent }: ActiveSession,
  waiting: readonly ToolCallPart[] = [],
  allowed: readonly string[] = [],
): Promise<void> {
  const open = findOpenCalls(log.state())
    .filter((call) => !waiting.includes(call))
    .map(({ toolCallId }) => toolCallId)
  if (open.length === 0) return
  agent.log({ level: 'warn', event: 'interrupted', message: `${open.length} tool calls were interrupted.`, open })
  const ran = open.filter((id) => allowed.includes(id))
  await log.append([{ type: 'interrupted', toolCallIds: open, ...(ran.length === 0 ? {} : { allowed: ran }) }])
}

/** Calls of the last answer that have no result. Older ones were settled when they were the last. */
function findOpenCalls(state: State): readonly ToolCallPart[] {
  const items = listMessages(state)
  const from = items.findLastIndex(({ message }) => message.role === 'assistant')
  if (from === -1) return []
  const messages = items.slice(from).map(({ message }) => message)
  return pairTools(messages).flatMap(({ call, answer }) => (answer === null ? [call] : []))
}
