import { isRecord } from '../transcript/json.ts'
import type { JsonObject, JsonValue } from '../transcript/json.ts'
import { POLICY_KEYS } from './policy-keys.ts'
import type { ContextPolicy } from './policy.ts'
import type { GroupKeys } from './value-kinds.ts'

/** How far a value lets a session go: of two values the one with the higher rank is the wider. */
interface Width<T> {
  /** The direction in words, for people who read the reference. */
  readonly wider: string
  readonly rank: (value: T) => number
}

/** One decision for each key, nested as the policy is: a key without one does not compile. null: a plain default. */
type WidthsOf<T> = {
  readonly [K in keyof T]-?: (NonNullable<T[K]> extends object ? WidthsOf<NonNullable<T[K]>> : Width<T[K]>) | null
}

const more: Width<number> = { wider: 'more', rank: (value) => value }
const on: Width<boolean> = { wider: 'true', rank: Number }
const WORKSPACE_ACCESS = ['none', 'ro', 'rw'] as const

/**
 * The one table that says which keys are ceilings. A key is one if a wider value lets a session reach more, keep more or
 * spend more. Everything else only says how the context is kept, and a session may choose it freely.
 */
const WIDTHS: WidthsOf<ContextPolicy> = {
  // Every request is paid for by its size.
  contextTokens: { wider: 'more; off is the widest', rank: (tokens) => tokens ?? Infinity },
  assumedWindowTokens: null,
  windowGuard: null,
  estimator: null,
  bootstrapMaxChars: null,
  workspaceAccess: {
    wider: '`rw` over `ro` over `none`',
    rank: (access) => WORKSPACE_ACCESS.indexOf(access),
  },
  // A heartbeat spends money while nobody writes.
  heartbeat: {
    every: { wider: 'more often; off is the narrowest', rank: (every) => (every === null ? -Infinity : -every) },
  },
  // Definitions of tools are sent, and paid for, with every request.
  toolDefinitions: { maxRatio: more },
  // Artifacts keep more of what tools returned, and offer one more tool.
  toolResults: { maxChars: null, keep: null, artifacts: on },
  recall: null,
  contextPruning: null,
  compaction: {
    enabled: null,
    strategy: null,
    triggerRatio: null,
    reserveTokens: null,
    triggerTokens: null,
    reserveTokensFloor: null,
    prepareRatio: null,
    check: null,
    timing: null,
    keepRatio: null,
    keepRecentTokens: null,
    keepMessages: null,
    keepTurns: null,
    minMessages: null,
    keepFirstUserMessage: null,
    placement: null,
    model: null,
    // Summary calls are made without being asked for.
    maxOutputTokens: more,
    temperature: null,
    stream: null,
    summaryWords: null,
    timeoutMs: null,
    backgroundTimeoutMs: null,
    retries: more,
    preview: null,
    maxInputChars: null,
    fallback: null,
    maxMessages: null,
    memoryFlush: {
      // A flush is a call of its own, and it writes memory.
      enabled: on,
      softThresholdTokens: null,
      silentToken: null,
      target: null,
      systemPrompt: null,
      prompt: null,
      timeoutMs: null,
    },
  },
}

const WIDTH_OF: ReadonlyMap<string, Width<unknown>> = new Map(listWidths(WIDTHS, ''))

/** Every key that is a ceiling once the owner has set it, and which of its values are wider. */
export const CEILING_KEYS: ReadonlyMap<string, string> = new Map(
  [...WIDTH_OF].map(([key, { wider }]) => [key, wider] as const),
)

/** What the owner set, by key: no session goes beyond it. */
export type Ceilings = ReadonlyMap<string, unknown>

/** A key of a session's own words that asks for more than the owner set. */
export interface WiderWish {
  readonly key: string
  readonly asked: JsonValue
  readonly allowed: JsonValue
}

/**
 * The ceilings that an owner's patches set. A key that no patch has is none, whatever the preset says about it. `policy`
 * is what the patches came to.
 */
export function readCeilings(policy: ContextPolicy, ...patches: readonly JsonObject[]): Ceilings {
  const keys = [...WIDTH_OF.keys()].filter((key) => patches.some((patch) => valueOf(patch, key) !== undefined))
  return new Map(keys.map((key) => [key, valueOf(policy, key)]))
}

/** The same policy with every value that is wider than its ceiling replaced by the ceiling. */
export function lowerPolicy(policy: ContextPolicy, ceilings: Ceilings): ContextPolicy {
  let lowered: unknown = policy
  for (const [key, allowed] of ceilings)
    if (isWider(key, valueOf(policy, key), allowed)) lowered = withValue(lowered, key.split('.'), allowed)
  return lowered as ContextPolicy
}

/** Keys of a session's words that ask for more than the ceilings allow. Words that cannot be read ask for nothing. */
export function findWider(words: JsonObject, ceilings: Ceilings): readonly WiderWish[] {
  return [...ceilings].flatMap(([key, allowed]) => {
    const asked = readKey(key, valueOf(words, key))
    if (asked === undefined || !isWider(key, asked, allowed)) return []
    return [{ key, asked: asked as JsonValue, allowed: allowed as JsonValue }]
  })
}

/** The same words with what is wider than allowed replaced by what is allowed. */
export function lowerWords(words: JsonObject, wider: readonly WiderWish[]): JsonObject {
  let lowered: unknown = words
  for (const { key, allowed } of wider) lowered = withValue(lowered, key.split('.'), allowed)
  return lowered as JsonObject
}

function isWider(key: string, value: unknown, allowed: unknown): boolean {
  const width = WIDTH_OF.get(key)
  return width !== undefined && width.rank(value) > width.rank(allowed)
}

/** As the policy's own reader understands it; undefined: not at all. */
function readKey(key: string, value: unknown): unknown {
  if (value === undefined) return undefined
  const [last = '', ...groups] = key.split('.').toReversed()
  let keys: GroupKeys = POLICY_KEYS
  for (const name of groups.toReversed()) keys = keys[name]?.group ?? {}
  return keys[last]?.read(value)
}

function valueOf(value: unknown, key: string): unknown {
  let inner = value
  for (const name of key.split('.')) {
    if (!isRecord(inner) || !Object.hasOwn(inner, name)) return undefined
    inner = inner[name]
  }
  return inner
}

function withValue(group: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const own = isRecord(group) ? group : {}
  return { ...own, [name]: rest.length === 0 ? value : withValue(own[name], rest, value) }
}

function listWidths(widths: object, path: string): (readonly [string, Width<unknown>])[] {
  return Object.entries(widths).flatMap(([name, width]: [string, object | null]) => {
    if (width === null) return []
    return isWidth(width) ? [[`${path}${name}`, width] as const] : listWidths(width, `${path}${name}.`)
  })
}

function isWidth(value: object): value is Width<unknown> {
  return 'rank' in value
}
