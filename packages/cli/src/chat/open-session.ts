import { AgentError } from '@longhaul/runtime'
import type { InboxKind, JsonObject, Runtime } from '@longhaul/runtime'
import { UsageError } from '../program/usage-error.ts'
import { findSession } from '../system/find-session.ts'
import type { ChatOptions } from './chat-options.ts'

export interface OpenedSession {
  readonly id: string
  readonly isNew: boolean
}

/** The one that was asked for, with the wishes of the command line carried out; else a new one. */
export async function openSession(runtime: Runtime, options: ChatOptions, signal: AbortSignal): Promise<OpenedSession> {
  const { session, model, preset, agent } = options
  const { agent: conversations, models, store } = runtime
  if (model !== undefined && !models.describe(model).available)
    throw new AgentError('invalid-request', `${model} cannot be used here; \`longhaul models\` lists what can.`)
  if (session === undefined) {
    const { id } = await conversations.createSession({
      ...(model === undefined ? {} : { model }),
      ...(preset === undefined ? {} : { preset }),
      ...(agent === undefined ? {} : { agent }),
    })
    return { id, isNew: true }
  }
  if (agent !== undefined) throw new UsageError('--agent is for a new session; leave out --session.')
  const { id } = await findSession(store, session)
  const ask = async (kind: InboxKind, payload: JsonObject): Promise<void> => {
    const outcome = await conversations.request(id, kind, payload, { signal })
    if (!outcome.ok) throw new AgentError(outcome.code, outcome.message)
  }
  if (model !== undefined) await ask('model', { model })
  if (preset !== undefined) await ask('settings', { preset })
  return { id, isNew: false }
}
