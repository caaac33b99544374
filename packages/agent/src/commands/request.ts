import type { JsonObject } from '@longhaul/engine/advanced'
import type { InboxKind } from '@longhaul/store/port'
import { AgentError } from '../agent-error.ts'
import type { CommandContext, CommandResult } from './command.ts'

interface Wish {
  readonly kind: InboxKind
  readonly payload?: JsonObject
  /** The command's result, made of what came of the wish. */
  readonly describe: (result: JsonObject) => CommandResult
}

/** Asks the session's owner and waits; a refusal is thrown in its own words. A host is not waited for. */
export async function request(
  { agent, sessionId, requestId, signal }: CommandContext,
  { kind, payload = {}, describe }: Wish,
): Promise<CommandResult> {
  const outcome = await agent.request(sessionId, kind, payload, {
    signal,
    ...(requestId === undefined ? {} : { id: requestId }),
  })
  if (!outcome.ok) throw new AgentError(outcome.code, outcome.message)
  if ('leftTo' in outcome) return { command: 'left-to-host', wish: kind, origin: outcome.leftTo, id: outcome.id }
  return describe(outcome.result)
}
