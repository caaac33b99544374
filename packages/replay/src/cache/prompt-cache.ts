import { hashText } from '@longhaul/engine/advanced'
import type { Registry } from '@longhaul/models/prices'

/** How a provider caches prompts. `explicit`: what the request marks is kept. `automatic`: whatever was sent before. */
export type CacheRules = NonNullable<ReturnType<Registry['describe']>['cache']>

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
const MAX_PREFIXES = 30_000

/** `rules` null: the endpoint caches nothing. */
export function createPromptCache(rules: CacheRules | null, maxPrefixes = MAX_PREFIXES): PromptCache {
  const hashPrefixes = createPrefixHasher()
  /** By prefix: until when it can be read. The older map is forgotten when the newer one is full. */
  let expiries = new Map<string, number>()
  let earlier = new Map<string, number>()
  return {
    send(items, at) {
      const ends = sumTokens(items)
      const total = ends.at(-1) ?? 0
      if (rules === null) return { readTokens: 0, writeTokens: 0, missTokens: total }
      if (expiries.size > maxPrefixes) {
        earlier = expiries
        expiries = new Map()
      }
      const prefixes = hashPrefixes(items.map(({ key }) => key))
      const isAlive = (place: number): boolean => {
        const prefix = prefixes[place] ?? ''
        return (expiries.get(prefix) ?? earlier.get(prefix) ?? 0) > at
      }
      const keep = (place: number): void => {
        const prefix = prefixes[place]
        if (prefix !== undefined && (ends[place] ?? 0) >= rules.minPrefixTokens) expiries.set(prefix, at + rules.ttlMs)
      }
      if (rules.kind === 'automatic') {
        const found = items.findLastIndex((_, place) => isAlive(place))
        for (let place = items.length - 1; place >= 0; place -= 1) keep(place)
        const readTokens = roundDown(ends[found] ?? 0, rules.minPrefixTokens)
        return createBill(readTokens, total, total)
      }
      const marks = findBreakpoints(items)
      const found = marks.map((mark) => lookBack(items, mark, isAlive)).find((place) => place >= 0) ?? -1
      for (const mark of marks) keep(mark)
      if (found >= 0) keep(found)
      const lastMark = ends[marks[0] ?? -1] ?? 0
      const written = lastMark >= rules.minPrefixTokens ? lastMark : 0
      return createBill(ends[found] ?? 0, written, total)
    },
  }
}

/** The hash of each prefix of a list of keys. Costs what is new since the list before. */
function createPrefixHasher(): (keys: readonly string[]) => readonly string[] {
  let last: { readonly keys: readonly string[]; readonly hashes: readonly string[] } = { keys: [], hashes: [] }
  return (keys) => {
    let same = 0
    while (same < keys.length && keys[same] === last.keys[same]) same += 1
    const hashes = last.hashes.slice(0, same)
    for (const key of keys.slice(same)) hashes.push(hashText(`${hashes.at(-1) ?? ''} ${key}`))
    last = { keys, hashes }
    return hashes
  }
}

function sumTokens(items: readonly CacheItem[]): readonly number[] {
  let sum = 0
  return items.map(({ tokens }) => (sum += tokens))
}

function createBill(readTokens: number, cachedTokens: number, total: number): CacheBill {
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

function roundDown(tokens: number, minTokens: number): number {
  if (tokens < minTokens) return 0
  return minTokens + Math.floor((tokens - minTokens) / AUTOMATIC_STEP_TOKENS) * AUTOMATIC_STEP_TOKENS
}
