/** The same numbers for the same seed, on every machine. */
export interface Random {
  /** 0 to `below` - 1. */
  integer(below: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32: 32 bits of state are plenty for a few hundred steps.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number) => Math.floor(next() * below)
  return {
    integer,
    chance: (share) => next() < share,
    pick<T>(list: readonly T[]): T {
      const picked = list[integer(list.length)]
      if (picked === undefined) throw new RangeError('There is nothing to pick from.')
      return picked
    },
  }
}
