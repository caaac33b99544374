import { MODEL_FREE_STRATEGY } from '../compaction/strategy.ts'
import type { CompactionStrategy, SummaryReply, SummaryRequest } from '../compaction/strategy.ts'
import { EngineError } from '../policy/engine-error.ts'
import { findNearestName } from '../policy/nearest-name.ts'
import { parsePolicy } from '../policy/parse-policy.ts'
import type { ContextPolicy, PolicyPatch } from '../policy/policy.ts'
import { DEFAULT_PRESET, PRESETS, isPresetName } from '../policy/presets.ts'
import type { PresetName } from '../policy/presets.ts'
import type { ToolSchema } from '../request/view/environment.ts'
import type { Entry } from '../transcript/entry.ts'
import { isRecord } from '../transcript/json.ts'
import { describeValue } from './describe-value.ts'
import type { Clock } from './ports.ts'
import type { PlatformSignal } from './runtime.ts'
import type { Search } from './search-entries.ts'

/** How a summary is asked for. Return the model's words, or an object with what the call cost. */
export type Ask = (
  request: SummaryRequest,
  signal: PlatformSignal,
) => Promise<string | (Pick<SummaryReply, 'text'> & Partial<SummaryReply>)>

export interface ContextOptions {
  /** The size of the model's window; null: nobody knows. */
  readonly windowTokens: number | null
  /** A preset's name, or keys that are laid over a preset: `{ preset, ...keys }`. Default: `longhaul`. */
  readonly policy?: PresetName | (PolicyPatch & { readonly preset?: PresetName })
  /** Without it, summaries are made by code. */
  readonly ask?: Ask
  readonly system?: string | null
  readonly tools?: readonly ToolSchema[]
  /** An earlier log, as `entries()` or `onAppend` gave it. */
  readonly entries?: readonly Entry[]
  /** Your log. It is awaited before anything rests on the entry; if it throws, nothing has changed. */
  readonly onAppend?: (entry: Entry) => void | Promise<void>
  /** The model's id: what is learned from bills holds for one model. */
  readonly model?: string
  /** The most that the model answers. */
  readonly maxOutputTokens?: number
  /** Strategies of your own, which a policy names in `compaction.strategy`. */
  readonly strategies?: readonly CompactionStrategy[]
  /** Finds what is stored but not in the context, for `recall`. Default: by words, in memory. */
  readonly search?: Search
  readonly now?: () => number
  readonly after?: Clock['after']
  readonly createId?: () => string
}

const KEYS: readonly (keyof ContextOptions)[] = [
  'windowTokens',
  'policy',
  'ask',
  'system',
  'tools',
  'entries',
  'onAppend',
  'model',
  'maxOutputTokens',
  'strategies',
  'search',
  'now',
  'after',
  'createId',
]
const FUNCTIONS = ['ask', 'onAppend', 'search', 'now', 'after', 'createId'] as const
const LISTS = ['tools', 'entries', 'strategies'] as const

/** Refuses options of the wrong kind and names that are not known. */
export function checkOptions(options: unknown): asserts options is ContextOptions {
  if (!isRecord(options)) refuse('options', '{ windowTokens, … }', options)
  checkKeys(options, KEYS, '', 'a known option')
  const { windowTokens } = options
  if (windowTokens !== null && !isPositive(windowTokens))
    refuse('windowTokens', 'a positive number of tokens, or null where nobody knows', windowTokens)
  if (options['maxOutputTokens'] !== undefined && !isPositive(options['maxOutputTokens']))
    refuse('maxOutputTokens', 'a positive number of tokens', options['maxOutputTokens'])
  for (const key of FUNCTIONS)
    if (options[key] !== undefined && typeof options[key] !== 'function') refuse(key, 'a function', options[key])
  for (const key of LISTS)
    if (options[key] !== undefined && !Array.isArray(options[key])) refuse(key, 'a list', options[key])
  checkTools(options['tools'])
}

/** Refuses tools of another shape: their size would be wrong, and no provider's library would know them. */
export function checkTools(tools: unknown): void {
  if (!Array.isArray(tools)) return
  tools.forEach((tool: unknown, index) => {
    const isTool = isRecord(tool) && typeof tool['name'] === 'string' && typeof tool['description'] === 'string'
    if (!isTool || !isRecord(tool['inputSchema'])) refuse(`tools[${index}]`, '{ name, description, inputSchema }', tool)
  })
}

/** Refuses keys that nobody reads: a misspelled one would be passed over in silence. */
export function checkKeys(
  value: object,
  known: readonly string[],
  prefix = 'options.',
  expected = known.join(', '),
): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue
    const got = describeValue((value as Record<string, unknown>)[key])
    const suggestion = findNearestName(key, known)
    const issue = { path: `${prefix}${key}`, expected, got }
    throw new EngineError('invalid-options', [suggestion === undefined ? issue : { ...issue, suggestion }])
  }
}

/** The preset with the caller's keys over it; without a model, with summaries by code. */
export function readPolicy({ policy: wanted = DEFAULT_PRESET, ask }: ContextOptions): ContextPolicy {
  const { preset = DEFAULT_PRESET, ...patch } = typeof wanted === 'string' ? { preset: wanted } : wanted
  if (!isPresetName(preset))
    refuse('policy', `a preset (${Object.keys(PRESETS).join(', ')}) or keys of a policy`, preset)
  const policy = parsePolicy(PRESETS[preset], patch)
  if (ask !== undefined || policy.compaction.strategy === 'none') return policy
  const asksModel = policy.compaction.strategy === PRESETS[preset].compaction.strategy
  const strategy = asksModel ? MODEL_FREE_STRATEGY : policy.compaction.strategy
  return { ...policy, compaction: { ...policy.compaction, strategy } }
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 1
}

function refuse(path: string, expected: string, got: unknown): never {
  throw new EngineError('invalid-options', [{ path, expected, got: describeValue(got) }])
}
