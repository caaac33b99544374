import type { ContextPolicy } from '@longhaul/engine/advanced'
import type { MeasuredConversation } from './data.ts'
import { sumRuns } from './sum-runs.ts'
import type { Summed } from './sum-runs.ts'
import type { RunPolicy } from './runs.ts'

/** The result of a preset with changed budgets, and the window for which it has such budgets by itself. */
export interface Adjusted {
  readonly summed: Summed
  readonly windowTokens: number
  /** The mean views are within three percent of each other. */
  readonly agrees: boolean
}

const TOLERANCE = 0.03
const MAX_TRIES = 6
/** The policy's own budgets are shares of a window or are held to one, so all of them follow the window that it is told. */
const FACTORS = { min: 0.1, max: 4 }

/**
 * A policy whose budgets are changed until its mean view is as large as another's. All its budgets are changed together,
 * by telling it another window. That may be larger than the real one, which is to the advantage of the policy.
 */
export async function adjustTo(
  targetTokens: number,
  policy: ContextPolicy,
  {
    conversations,
    windowTokens,
    run,
  }: {
    readonly conversations: readonly MeasuredConversation[]
    readonly windowTokens: number
    readonly run: RunPolicy
  },
): Promise<Adjusted> {
  let [low, high]: [Tried | null, Tried | null] = [null, null]
  let factor = 1
  let best: Tried | null = null
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const tried = await tryFactor(factor)
    if (best === null || distance(tried) < distance(best)) best = tried
    if (distance(tried) <= TOLERANCE) break
    if (tried.mean < targetTokens) low = tried
    else high = tried
    const next = nextFactor(low, high, targetTokens)
    if (next === factor) break
    factor = next
  }
  if (best === null) throw new Error('no window was tried')
  return {
    summed: best.summed,
    windowTokens: Math.round(best.factor * windowTokens),
    agrees: distance(best) <= TOLERANCE,
  }

  function distance({ mean }: Tried): number {
    return Math.abs(mean / targetTokens - 1)
  }
  async function tryFactor(given: number): Promise<Tried> {
    const runs = []
    for (const conversation of conversations)
      runs.push(await run(conversation, policy, Math.round(windowTokens * given)))
    const summed = sumRuns(runs)
    return { factor: given, summed, mean: summed.viewTokens / Math.max(1, summed.requests) }
  }
}

interface Tried {
  readonly factor: number
  readonly mean: number
  readonly summed: Summed
}

/** By proportion from one side, between the two from both. */
function nextFactor(low: Tried | null, high: Tried | null, target: number): number {
  const clamp = (factor: number): number => Math.min(FACTORS.max, Math.max(FACTORS.min, factor))
  if (low !== null && high !== null) {
    const share = (target - low.mean) / Math.max(1, high.mean - low.mean)
    return low.factor + (high.factor - low.factor) * Math.min(0.85, Math.max(0.15, share))
  }
  const one = low ?? high
  return one === null ? 1 : clamp(one.factor * (target / one.mean) ** 1.1)
}
