import { randomUUID } from 'node:crypto'
import { toAgentError } from '@longhaul/runtime'
import type { InboxKind, JsonObject, Runtime } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'

export interface Wish {
  readonly sessionId: string
  readonly kind: InboxKind
  readonly payload: JsonObject
  /** Where the client named its request: the same id again is the same request. */
  readonly id?: string
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

export type Asked =
  | { readonly isDone: true; readonly result: JsonObject }
  /** Stored, and done later: `request-settled` will name this id. Must not be asked for again. */
  | { readonly isDone: false; readonly stored: { readonly id: string; readonly message: string } }

/** A turn under way goes first. What has to wait for longer than this is done all the same. */
const USUAL_TIMEOUT_MS = 25_000

/** Asks whoever owns the session, on this server or another, and waits a while for what comes of it. */
export async function askOwner({ agent }: Pick<Runtime, 'agent'>, wish: Wish): Promise<Asked> {
  const { sessionId, kind, payload, id = randomUUID(), timeoutMs = USUAL_TIMEOUT_MS } = wish
  const signal = AbortSignal.any([wish.signal, AbortSignal.timeout(timeoutMs)])
  const outcome = await agent
    .request(sessionId, kind, payload, { id, isFresh: wish.id === undefined, signal })
    .catch((error: unknown) => {
      // The waiting ended, not what was waited for.
      if (toAgentError(error).code === 'busy') return null
      throw error
    })
  if (outcome === null) return { isDone: false, stored: { id, message: AFTER_TURN } }
  if (!outcome.ok) throw new ApiFailure(outcome.code, outcome.message)
  if ('leftTo' in outcome) return { isDone: false, stored: describeLeftToHost(outcome.id, outcome.leftTo) }
  return { isDone: true, result: outcome.result }
}

const AFTER_TURN = 'A turn is under way. This is stored and will be done once it has ended; no need to ask again.'

/** The body of an answer with the status 202. */
export function describeLeftToHost(id: string, origin: string): { readonly id: string; readonly message: string } {
  return {
    id,
    message: `This is stored. It will be applied at the next call of ${origin}, which keeps this conversation.`,
  }
}
