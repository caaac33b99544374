import type { JsonObject } from '@longhaul/engine/advanced'
import type { InboxKind } from '@longhaul/store/port'
import { AgentError } from '../agent-error.ts'
import type { CommandContext } from './command.ts'

/** Asks the session's owner and waits; a refusal is thrown in its own words. */
export async function request(
  { agent, sessionId, requestId, signal }: CommandContext,
  kind: InboxKind,
  payload: JsonObject = {},
): Promise<JsonObject> {
  const outcome = await agent.request(sessionId, kind, payload, {
    signal,
    ...(requestId === undefined ? {} : { id: requestId }),
  })
  if (!outcome.ok) throw new AgentError(outcome.code, outcome.message)
  return outcome.result
}
