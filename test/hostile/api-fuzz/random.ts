/** Numbers that are the same for the same seed. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  below(count: number): number
  /** True this often. */
  chance(share: number): boolean
  pick<T>(values: readonly T[]): T
}

/** Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
  }
}
