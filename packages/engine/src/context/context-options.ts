import { MODEL_FREE_STRATEGY } from '../compaction/strategy.ts'
import type { CompactionStrategy, SummaryReply, SummaryRequest } from '../compaction/strategy.ts'
import { parsePolicy } from '../policy/parse-policy.ts'
import type { ContextPolicy, PolicyPatch } from '../policy/policy.ts'
import { DEFAULT_PRESET, PRESETS, isPresetName } from '../policy/presets.ts'
import type { PresetName } from '../policy/presets.ts'
import type { ToolSchema } from '../request/view/environment.ts'
import type { Entry } from '../transcript/entry.ts'
import { isRecord } from '../transcript/json.ts'
import type { Usage } from '../transcript/message.ts'
import { checkKeys, checkKind, refuseOption } from './check-arguments.ts'
import type { ArgumentKind, KindsOf } from './check-arguments.ts'
import type { Clock } from './ports.ts'
import type { PlatformSignal } from './runtime.ts'
import type { Search } from './search-entries.ts'

/** How a summary is asked for. Return the model's words, or an object with what the call cost. */
export type Ask = (request: SummaryRequest, signal: PlatformSignal) => Promise<string | AskReply>

interface AskReply extends Pick<SummaryReply, 'text'>, Partial<Pick<SummaryReply, 'finish'>> {
  /** null: the provider does not tell. */
  readonly usage?: Usage | null | undefined
}

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

const KIND_OF: KindsOf<ContextOptions> = {
  windowTokens: null,
  policy: null,
  ask: 'a function',
  system: 'a string or null',
  tools: 'a list',
  entries: 'a list',
  onAppend: 'a function',
  model: 'a string',
  maxOutputTokens: 'a positive number of tokens',
  strategies: 'a list',
  search: 'a function',
  now: 'a function',
  after: 'a function',
  createId: 'a function',
}

/** Refuses options of the wrong kind and names that are not known. */
export function checkOptions(options: unknown): asserts options is ContextOptions {
  if (!isRecord(options)) refuseOption('options', '{ windowTokens, … }', options)
  checkKeys(options, Object.keys(KIND_OF), '', 'a known option')
  const { windowTokens } = options
  const isKnown = typeof windowTokens === 'number' && windowTokens >= 1 && windowTokens !== Infinity
  if (windowTokens !== null && !isKnown)
    refuseOption('windowTokens', 'a positive number of tokens, or null where nobody knows', windowTokens)
  for (const [key, kind] of Object.entries<ArgumentKind | null>(KIND_OF))
    if (kind !== null && options[key] !== undefined) checkKind(key, options[key], kind)
  checkTools(options['tools'])
  checkStrategies(options['strategies'])
}

function checkStrategies(strategies: unknown): void {
  if (!Array.isArray(strategies)) return
  strategies.forEach((strategy: unknown, index) => {
    const isStrategy = isRecord(strategy) && typeof strategy['name'] === 'string'
    if (!isStrategy || typeof strategy['summarize'] !== 'function')
      refuseOption(`strategies[${index}]`, '{ name, summarize }', strategy)
  })
}

/** Refuses tools of another shape: their size would be wrong, and no provider's library would know them. */
export function checkTools(tools: unknown): void {
  if (!Array.isArray(tools)) return
  tools.forEach((tool: unknown, index) => {
    const isTool = isRecord(tool) && typeof tool['name'] === 'string' && typeof tool['description'] === 'string'
    if (!isTool || !isRecord(tool['inputSchema']))
      refuseOption(`tools[${index}]`, '{ name, description, inputSchema }', tool)
  })
}

/** The preset with the caller's keys over it; without a model, with summaries by code. */
export function readPolicy({ policy: wanted = DEFAULT_PRESET, ask }: ContextOptions): ContextPolicy {
  const { preset = DEFAULT_PRESET, ...patch } = typeof wanted === 'string' ? { preset: wanted } : wanted
  if (!isPresetName(preset))
    refuseOption('policy', `a preset (${Object.keys(PRESETS).join(', ')}) or keys of a policy`, preset)
  const policy = parsePolicy(PRESETS[preset], patch)
  if (ask !== undefined || policy.compaction.strategy === 'none') return policy
  const asksModel = policy.compaction.strategy === PRESETS[preset].compaction.strategy
  const strategy = asksModel ? MODEL_FREE_STRATEGY : policy.compaction.strategy
  return { ...policy, compaction: { ...policy.compaction, strategy } }
}
