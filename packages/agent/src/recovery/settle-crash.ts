import { pairTools } from '@longhaul/engine/advanced'
import type { JsonObject, State, ToolCallPart } from '@longhaul/engine/advanced'
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
  const allowed = readAllowed(abandoned)
  const mayHaveRun = new Set<string>([...allowed, ...(open.length === 0 ? [] : await findInterrupted(session))])
  const isAsked = session.owed() !== null
  const waiting: ToolCallPart[] = []
  for (const call of open) {
    if (isAsked && !mayHaveRun.has(call.toolCallId) && (await needsApproval(session, call))) waiting.push(call)
  }
  // Before the note of what ran is taken back: another crash in between must not make them look unasked.
  await settleOpenCalls(session, waiting, allowed)
  if (abandoned !== null) await settleWork(session, abandoned)
  return waiting
}

/** Calls that a person had allowed, and that ran when their owner went away. */
function readAllowed(abandoned: JsonObject | null): readonly string[] {
  const ids = abandoned?.['work'] === 'tools' ? abandoned['toolCallIds'] : []
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
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

async function needsApproval(session: ActiveSession, { toolName, input }: ToolCallPart): Promise<boolean> {
  const tool = session.tools().find(({ name }) => name === toolName)
  return (await tool?.permit(input))?.verdict === 'ask'
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
