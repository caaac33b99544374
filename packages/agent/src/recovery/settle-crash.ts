import { pairTools } from '@longhaul/engine'
import type { JsonObject, State, ToolCallPart } from '@longhaul/engine'
import { noteWork } from '../session/active-session.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { listMessages } from '../session/list-messages.ts'
import { walkEntries } from '../session/walk-entries.ts'

/**
 * What the last owner left behind is put in order before anything else: a compaction it was at counts as failed, and
 * tool calls without a result are marked as interrupted. They are never run again: nobody knows what they had done.
 * Returns those that cannot have been run, because they wait for a person's yes: they are asked for again.
 */
export async function settleCrash(
  session: ActiveSession,
  abandoned: JsonObject | null,
): Promise<readonly ToolCallPart[]> {
  const open = findOpenCalls(session.log.state())
  const running = abandoned?.['work'] === 'tools' ? abandoned['toolCallIds'] : []
  const mayHaveRun = new Set<unknown>([
    ...(Array.isArray(running) ? running : []),
    ...(open.length === 0 ? [] : await findInterrupted(session)),
  ])
  const waiting = open.filter((call) => !mayHaveRun.has(call.toolCallId) && needsApproval(session, call))
  // Before the note of what ran is taken back: another crash in between must not make them look unasked.
  await settleOpenCalls(session, waiting)
  if (abandoned !== null) await settleWork(session, abandoned)
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

async function settleWork(session: ActiveSession, { work }: JsonObject): Promise<void> {
  if (work === 'flush' || work === 'compaction') {
    const reason = 'interrupted: the process ended in the middle of it'
    await session.log.append([{ type: 'maintenance-failed', work, reason }])
  }
  await noteWork(session, null)
}

function needsApproval(session: ActiveSession, { toolName, input }: ToolCallPart): boolean {
  const tool = session.tools().find(({ name }) => name === toolName)
  return tool?.permit(input).verdict === 'ask'
}

/** Calls without a result will never get one, save those that are still to be run. */
export async function settleOpenCalls(
  { log, agent }: ActiveSession,
  waiting: readonly ToolCallPart[] = [],
): Promise<void> {
  const open = findOpenCalls(log.state())
    .filter((call) => !waiting.includes(call))
    .map(({ toolCallId }) => toolCallId)
  if (open.length === 0) return
  agent.log({ level: 'warn', event: 'interrupted', message: `${open.length} tool calls were interrupted.`, open })
  await log.append([{ type: 'interrupted', toolCallIds: open }])
}

/** Calls of the last answer that have no result. Older ones were settled when they were the last. */
function findOpenCalls(state: State): readonly ToolCallPart[] {
  const items = listMessages(state)
  const from = items.findLastIndex(({ message }) => message.role === 'assistant')
  if (from === -1) return []
  const messages = items.slice(from).map(({ message }) => message)
  return pairTools(messages).flatMap(({ call, answer }) => (answer === null ? [call] : []))
}

/** The transcript ends with something that was not answered: a message, or the results of tools. */
export function owesAnswer(state: State): boolean {
  const last = listMessages(state).at(-1)
  if (last === undefined) return false
  const { role, parts } = last.message
  if (role === 'assistant') return parts.some(({ type }) => type === 'tool-call')
  // Where only carried messages are left, what came after them was summarised, its answer perhaps as well.
  const isCarried = last.entry.seq < state.head.base.fromSeq
  return !isCarried || (state.head.lastCall?.at ?? -Infinity) < last.entry.at
}
