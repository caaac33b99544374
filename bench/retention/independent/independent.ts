import { PRESETS } from '@longhaul/engine/advanced'
import type { ContextPolicy } from '@longhaul/engine/advanced'
import type { BenchReport } from '../../bench.ts'
import { OURS, SEEDS } from '../configurations.ts'
import { adjustTo } from './adjust.ts'
import type { Adjusted } from './adjust.ts'
import { KINDS, loadKind } from './data.ts'
import type { Kind, MeasuredConversation } from './data.ts'
import { createIndependentReport } from './independent-report.ts'
import { askQuestions } from './questions.ts'
import { createRunner } from './runs.ts'
import type { RunPolicy } from './runs.ts'
import { sumRuns } from './sum-runs.ts'
import type { Summed } from './sum-runs.ts'

export interface IndependentOptions {
  readonly isQuick: boolean
  /** Left out: all. */
  readonly kinds?: readonly string[] | undefined
  readonly windows?: readonly number[] | undefined
  readonly note: (line: string) => void
}

/** One kind in one window. */
export interface KindResult {
  readonly kind: string
  readonly group: string
  readonly windowTokens: number
  readonly conversations: number
  /** By preset. */
  readonly presets: Readonly<Record<string, Summed>>
  /** The other presets with budgets that give the mean view of ours. */
  readonly adjusted: Readonly<Record<string, Adjusted>>
}

const WINDOWS = [32_000, 64_000, 128_000]
/** For kinds whose conversations, joined, do not fill the smallest of these. */
const SMALL_WINDOWS = [16_000, 8_000]
const NO_MODEL = `${OURS}, no model`

/** Measures how much of what user or model mention again is in the context. It shares no code with the engine's summaries. */
export async function measureIndependently(options: IndependentOptions): Promise<BenchReport> {
  const { isQuick, note } = options
  const run = createRunner()
  const results: KindResult[] = []
  for (const kind of KINDS) {
    if (options.kinds !== undefined && !options.kinds.includes(kind.name)) continue
    const conversations = loadKind(kind, note)
    for (const windowTokens of chooseWindows(conversations, options.windows ?? (isQuick ? [32_000] : WINDOWS))) {
      const filling = conversations.filter(({ tokens }) => tokens > windowTokens)
      note(`${kind.name}, ${windowTokens} tokens: ${filling.length} of ${conversations.length} conversations`)
      results.push(await measureKind({ kind, windowTokens, conversations: filling, run, isQuick }))
    }
  }
  const isAsked = options.kinds === undefined || options.kinds.includes('locomo')
  return createIndependentReport(results, isAsked ? await askQuestions(note) : [])
}

function chooseWindows(conversations: readonly MeasuredConversation[], wanted: readonly number[]): readonly number[] {
  const longest = Math.max(0, ...conversations.map(({ tokens }) => tokens))
  const filled = wanted.filter((windowTokens) => longest > windowTokens)
  return filled.length > 0 ? filled : SMALL_WINDOWS.filter((windowTokens) => longest > windowTokens).slice(0, 1)
}

interface KindInput {
  readonly kind: Kind
  readonly windowTokens: number
  readonly conversations: readonly MeasuredConversation[]
  readonly run: RunPolicy
  readonly isQuick: boolean
}

async function measureKind({ kind, windowTokens, conversations, run, isQuick }: KindInput): Promise<KindResult> {
  const measure = async (policy: ContextPolicy): Promise<Summed> => {
    const runs = []
    for (const conversation of conversations) runs.push(await run(conversation, policy, windowTokens))
    return sumRuns(runs)
  }
  const { longhaul } = PRESETS
  const ours = await measure(longhaul)
  const noModel = { ...longhaul, compaction: { ...longhaul.compaction, strategy: 'extractive' } }
  const presets: Record<string, Summed> = { [OURS]: ours, [NO_MODEL]: await measure(noModel) }
  const adjusted: Record<string, Adjusted> = {}
  for (const seed of SEEDS) {
    presets[seed] = await measure(PRESETS[seed])
    if (isQuick) continue
    const target = ours.viewTokens / Math.max(1, ours.requests)
    adjusted[seed] = await adjustTo(target, PRESETS[seed], { conversations, windowTokens, run })
  }
  const { name, group } = kind
  return { kind: name, group, windowTokens, conversations: conversations.length, presets, adjusted }
}
