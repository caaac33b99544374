import type { InboxKind, JsonObject, Runtime } from '@longhaul/runtime'
import { ApiFailure } from '../api-failure.ts'

export interface Wish {
  readonly sessionId: string
  readonly kind: InboxKind
  readonly payload: JsonObject
  /** Where the client named its request. */
  readonly id?: string
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal
  readonly timeoutMs?: number
}

/** A turn under way goes first. What takes longer than this is stored and done all the same; the answer is `busy`. */
const USUAL_TIMEOUT_MS = 25_000

/** Asks whoever owns the session, on this server or another, and waits for what came of it. */
export async function askOwner({ agent }: Pick<Runtime, 'agent'>, wish: Wish): Promise<JsonObject> {
  const { sessionId, kind, payload, id, timeoutMs = USUAL_TIMEOUT_MS } = wish
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([wish.signal, timeout])
  const outcome = await agent
    .request(sessionId, kind, payload, { signal, ...(id === undefined ? {} : { id }) })
    .catch((error: unknown) => {
      throw timeout.aborted ? new ApiFailure('busy', STILL_WAITING) : error
    })
  if (!outcome.ok) throw new ApiFailure(outcome.code, outcome.message)
  return outcome.result
}

const STILL_WAITING =
  'It is stored and will be done as soon as what is under way has ended. There is no need to send it again.'
