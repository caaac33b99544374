const PARKED = Symbol('parked')

/** Stops a turn so that its next owner goes on with it: nothing is stored that would call it over. */
export function park(turn: AbortController): void {
  turn.abort(PARKED)
}

export function isParked(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === PARKED
}
