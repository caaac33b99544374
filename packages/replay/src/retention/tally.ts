export interface Tally {
  readonly held: number
  readonly of: number
}

export interface OpenTally extends Tally {
  add(isHeld: boolean): void
}

export function createTally(): OpenTally {
  const tally = {
    held: 0,
    of: 0,
    add(isHeld: boolean): void {
      tally.of += 1
      if (isHeld) tally.held += 1
    },
  }
  return tally
}

export function addTo<K>(tallies: Map<K, Tally>, key: K, isHeld: boolean): void {
  const { held, of } = tallies.get(key) ?? { held: 0, of: 0 }
  tallies.set(key, { held: held + (isHeld ? 1 : 0), of: of + 1 })
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
