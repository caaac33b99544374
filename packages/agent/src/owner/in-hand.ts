import { park } from '../session/park.ts'

/** The work that an owner has begun, and how it is stopped: a turn or a request, and a request that runs beside it. */
export interface InHand {
  /** Aborted when the turn or request under way is to stop. */
  readonly signal: () => AbortSignal
  /** Aborted when somebody else waits behind the turn under way. */
  readonly hurrySignal: () => AbortSignal
  /** This item waits: unless it is the one that has just begun, the turn under way does not wait for a summary any longer. */
  readonly hurryFor: (itemId: string) => void
  /** Something new begins: what is stopped from here on is this. */
  readonly begin: (itemId: string) => void
  /** The request that has just begun runs beside the conversation from now on, until `endBeside`. */
  readonly moveBeside: (id: string) => void
  readonly endBeside: () => void
  /** The id of the request that runs beside the conversation; null: none does. */
  readonly beside: () => string | null
  /** Stops everything, because a user wants it. */
  readonly cancel: () => void
  /** Stops everything, so that the next owner goes on with it. */
  readonly park: () => void
}

export function createInHand(): InHand {
  let current = new AbortController()
  let hurry = new AbortController()
  let currentId: string | null = null
  let beside: { readonly id: string; readonly stop: AbortController } | null = null
  return {
    signal: () => current.signal,
    hurrySignal: () => hurry.signal,
    hurryFor(itemId) {
      if (itemId !== currentId) hurry.abort()
    },
    begin(itemId) {
      currentId = itemId
      current = new AbortController()
      hurry = new AbortController()
    },
    moveBeside: (id) => void (beside = { id, stop: current }),
    endBeside: () => void (beside = null),
    beside: () => beside?.id ?? null,
    cancel() {
      current.abort()
      beside?.stop.abort()
    },
    park() {
      park(current)
      if (beside !== null) park(beside.stop)
    },
  }
}
