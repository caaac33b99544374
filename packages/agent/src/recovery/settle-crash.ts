import { pairTools } from '@longhaul/engine'
import type { Item, JsonObject, State } from '@longhaul/engine'
import { noteWork } from '../session/active-session.ts'
import type { ActiveSession } from '../session/active-session.ts'

/**
 * What the last owner left behind is put in order before anything else: a compaction it was at counts as failed, and
 * tool calls without a result are marked as interrupted. They are never run again: nobody knows what they had done.
 */
export async function settleCrash(session: ActiveSession, abandoned: JsonObject | null): Promise<void> {
  const { log } = session
  if (abandoned !== null) {
    const work = abandoned['work'] === 'flush' ? 'flush' : 'compaction'
    await log.append([
      { type: 'maintenance-failed', work, reason: 'interrupted: the process ended in the middle of it' },
    ])
    await noteWork(session, null)
  }
  await settleOpenCalls(session)
}

/** Calls without a result will never get one. */
export async function settleOpenCalls({ log, agent }: ActiveSession): Promise<void> {
  const open = findOpenCalls(log.state())
  if (open.length === 0) return
  agent.log({ level: 'warn', event: 'interrupted', message: `${open.length} tool calls were interrupted.`, open })
  await log.append([{ type: 'interrupted', toolCallIds: open }])
}

/** Calls of the last answer that have no result. Older ones were settled when they were the last. */
function findOpenCalls(state: State): readonly string[] {
  const items = listMessages(state)
  const from = items.findLastIndex(({ message }) => message.role === 'assistant')
  if (from === -1) return []
  const messages = items.slice(from).map(({ message }) => message)
  return pairTools(messages).flatMap(({ call, answer }) => (answer === null ? [call.toolCallId] : []))
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

/** Every message of the context that is stored as one: what the base carries along, then the rest. */
export function listMessages({ carried, window }: State): readonly Item[] {
  return [...carried, ...window.backing.slice(window.start, window.end)]
}
