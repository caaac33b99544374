/** Numbers from 0 to 1, the same ones for the same seed on every machine (mulberry32). */
export type Random = () => number

export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}

export function pickBetween(random: Random, low: number, high: number): number {
  return Math.floor(low + random() * (high - low))
}

/** Half of the values are below the median; the larger the spread, the longer the tail. */
export function pickLogNormal(random: Random, median: number, spread: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return median * Math.exp(spread * normal)
}
