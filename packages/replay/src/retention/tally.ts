export interface Tally {
  readonly held: number
  readonly of: number
}

/** A tally that is still being counted. */
export type OpenTally = { -readonly [K in keyof Tally]: Tally[K] }

export function createTally(): OpenTally {
  return { held: 0, of: 0 }
}

export function countIn(tally: OpenTally, isHeld: boolean): void {
  tally.of += 1
  if (isHeld) tally.held += 1
}

export function sumTallies(tallies: Iterable<Tally>): Tally {
  let [held, of] = [0, 0]
  for (const tally of tallies) {
    held += tally.held
    of += tally.of
  }
  return { held, of }
}

/** Percent; null where there was nothing to hold. */
export function shareOf({ held, of }: Tally): number | null {
  return of === 0 ? null : (held / of) * 100
}
