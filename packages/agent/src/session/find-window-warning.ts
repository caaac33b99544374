import { guardWindow, resolveWindow } from '@longhaul/engine/advanced'
import type { SessionRecord } from '@longhaul/store/port'
import type { AgentEventBody } from '../port/agent-event.ts'
import { readSettings, resolvePolicy } from './active-session.ts'
import type { ActiveSession, ResolvedOptions } from './active-session.ts'
import { readGauge } from '@longhaul/engine/advanced'
import { createSessionView } from './session-view.ts'

/**
 * The warning that a window is too small for long conversations, for the stream of a message; null: there is none. It is
 * told before the first answer of each model that a session meets, and looked for without opening the session. It never
 * throws: a warning that cannot be found must not keep a message from being sent.
 */
export async function findWindowWarning(
  agent: ResolvedOptions,
  sessionId: string,
  findOwned: (sessionId: string) => ActiveSession | null,
): Promise<AgentEventBody | null> {
  try {
    const record = await agent.store.sessions.get(sessionId)
    return record === null ? null : await look(agent, record, findOwned(sessionId))
  } catch {
    return null
  }
}

async function look(
  agent: ResolvedOptions,
  record: SessionRecord,
  owned: ActiveSession | null,
): Promise<AgentEventBody | null> {
  const settings = readSettings(record.head, record)
  const model = record.head.model ?? agent.defaultModelFor(settings)
  if (record.head.lastCall?.model === model) return null
  const policy = resolvePolicy(agent, settings)
  const { window: learned } = await agent.store.learned.get(model)
  const window = resolveWindow({ ...agent.models.windowOf(model), learnt: learned?.tokens ?? null }, policy)
  const { message } = guardWindow(window, policy)
  if (message === null) return null
  const { context } = await createSessionView(agent, record, owned)
  return { type: 'context-warning', percent: Math.round(readGauge(context).percent ?? 0), message }
}
