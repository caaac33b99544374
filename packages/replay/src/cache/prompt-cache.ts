import { createPrefixIds } from './prefix-ids.ts'

/** How a provider caches prompts. */
export interface CacheRules {
  /** `explicit`: what the request marks is kept. `automatic`: whatever was sent before. */
  readonly kind: 'explicit' | 'automatic'
  readonly ttlMs: number
  /** Shorter prefixes are not cached. */
  readonly minPrefixTokens: number
}

/** One message of a request. Equal keys after equal prefixes are equal bytes. */
export interface CacheItem {
  readonly key: string
  readonly tokens: number
  /** Content blocks: the units in which a provider looks back. */
  readonly blocks: number
}

/** Where the tokens of one request came from. The three add up to all of it. */
interface CacheBill {
  readonly readTokens: number
  readonly writeTokens: number
  readonly missTokens: number
  /** How many items stood in the cache. */
  readonly readItems: number
}

export interface PromptCache {
  /** Sends a request at a moment: says what was found, and remembers what can be found later. */
  send(items: readonly CacheItem[], at: number): CacheBill
}

/** Anthropic allows four: one after system prompt and tools (the first item here), the others among the messages. */
const MESSAGE_BREAKPOINTS = 3
/** It looks for an earlier entry at most this many blocks before a breakpoint. */
const LOOKBACK_BLOCKS = 20
/** Clients set their marks a little closer than that. */
const BLOCKS_BETWEEN = 18
/** Automatic caches count in steps of this many tokens. */
const AUTOMATIC_STEP_TOKENS = 128

/** Far more than any conversation uses within a time to live. */
const GENERATION_PREFIXES = 30_000

/** `rules` null: the endpoint caches nothing. */
export function createPromptCache(rules: CacheRules | null, generationPrefixes = GENERATION_PREFIXES): PromptCache {
  const prefixes = createPrefixIds()
  /** By prefix: until when it can be read. What has not been sent for a generation is forgotten. */
  let expiries = new Map<number, number>()
  let earlier = new Map<number, number>()
  let sizeBefore = 0
  const forgetPast = (at: number): void => {
    earlier = new Map([...expiries].filter(([, until]) => until > at))
    expiries = new Map()
    prefixes.keepOnly(earlier.keys())
    sizeBefore = prefixes.size()
  }
  return {
    send(items, at) {
      const ends = sumTokens(items)
      const total = ends.at(-1) ?? 0
      if (rules === null) return { readTokens: 0, writeTokens: 0, missTokens: total, readItems: 0 }
      if (prefixes.size() - sizeBefore > generationPrefixes) forgetPast(at)
      const ids = prefixes.follow(items.map(({ key }) => key))
      const isAlive = (place: number): boolean => {
        const id = ids[place] ?? -1
        return (expiries.get(id) ?? earlier.get(id) ?? 0) > at
      }
      const keep = (place: number): void => {
        const id = ids[place]
        if (id !== undefined && (ends[place] ?? 0) >= rules.minPrefixTokens) expiries.set(id, at + rules.ttlMs)
      }
      if (rules.kind === 'automatic') {
        const found = findLastAlive(items.length - 1, isAlive)
        for (let place = items.length - 1; place >= 0; place -= 1) keep(place)
        const readTokens = roundDown(ends[found] ?? 0, rules.minPrefixTokens)
        return { ...createBill(readTokens, total, total), readItems: readTokens === 0 ? 0 : found + 1 }
      }
      const marks = findBreakpoints(items)
      const found = marks.map((mark) => lookBack(items, mark, isAlive)).find((place) => place >= 0) ?? -1
      for (const mark of marks) keep(mark)
      if (found >= 0) keep(found)
      const lastMark = ends[marks[0] ?? -1] ?? 0
      const written = lastMark >= rules.minPrefixTokens ? lastMark : 0
      return { ...createBill(ends[found] ?? 0, written, total), readItems: found + 1 }
    },
  }
}

function sumTokens(items: readonly CacheItem[]): readonly number[] {
  let sum = 0
  return items.map(({ tokens }) => (sum += tokens))
}

function createBill(readTokens: number, cachedTokens: number, total: number): Omit<CacheBill, 'readItems'> {
  const writeTokens = Math.max(0, cachedTokens - readTokens)
  return { readTokens, writeTokens, missTokens: total - readTokens - writeTokens }
}

/** Newest first: the end of the request, earlier ones at the distance a provider can look back over, then the head. */
function findBreakpoints(items: readonly CacheItem[]): readonly number[] {
  const marks: number[] = []
  let blocks = BLOCKS_BETWEEN
  for (let place = items.length - 1; place > 0 && marks.length < MESSAGE_BREAKPOINTS; place -= 1) {
    if (blocks >= BLOCKS_BETWEEN) {
      marks.push(place)
      blocks = 0
    }
    blocks += items[place]?.blocks ?? 1
  }
  return items.length === 0 ? [] : [...marks, 0]
}

function lookBack(items: readonly CacheItem[], mark: number, isAlive: (place: number) => boolean): number {
  let blocks = 0
  for (let place = mark; place >= 0 && blocks <= LOOKBACK_BLOCKS; place -= 1) {
    if (isAlive(place)) return place
    blocks += items[place]?.blocks ?? 1
  }
  return -1
}

function findLastAlive(from: number, isAlive: (place: number) => boolean): number {
  let place = from
  while (place >= 0 && !isAlive(place)) place -= 1
  return place
}

function roundDown(tokens: number, minTokens: number): number {
  if (tokens < minTokens) return 0
  return minTokens + Math.floor((tokens - minTokens) / AUTOMATIC_STEP_TOKENS) * AUTOMATIC_STEP_TOKENS
}
