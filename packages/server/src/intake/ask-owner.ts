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
  /** Stored, and done once what is under way has ended: `request-settled` will name this id. Must not be asked for again. */
  | { readonly isDone: false; readonly id: string }

/** A turn under way goes first. What has to wait for longer than this is done all the same. */
const USUAL_TIMEOUT_MS = 25_000

/** Asks whoever owns the session, on this server or another, and waits a while for what comes of it. */
export async function askOwner({ agent }: Pick<Runtime, 'agent'>, wish: Wish): Promise<Asked> {
  const { sessionId, kind, payload, id = randomUUID(), timeoutMs = USUAL_TIMEOUT_MS } = wish
  const signal = AbortSignal.any([wish.signal, AbortSignal.timeout(timeoutMs)])
  const outcome = await agent.request(sessionId, kind, payload, { id, signal }).catch((error: unknown) => {
    // The waiting ended, not what was waited for.
    if (toAgentError(error).code === 'busy') return null
    throw error
  })
  if (outcome === null) return { isDone: false, id }
  if (!outcome.ok) throw new ApiFailure(outcome.code, outcome.message)
  return { isDone: true, result: outcome.result }
}
