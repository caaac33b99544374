import type { CompactionPlan, TrimPlan } from '../compaction/compaction-plan.ts'
import { runCompaction } from '../compaction/run-compaction.ts'
import { createMoveMeter } from '../request/plan/measure-move.ts'
import { createTrimEntry } from '../request/plan/plan-entries.ts'
import { planFallbacks } from '../request/plan/plan-shrinking.ts'
import type { FailedShrinking } from '../request/plan/plan-shrinking.ts'
import type { CompactionResult, DriverPorts } from './ports.ts'
import { storeSummary, unchanged } from './store-summary.ts'

/** The policy's ways without a model, one after the other, until the context is smaller. */
export async function compactByFallbacks(ports: DriverPorts, failed: FailedShrinking): Promise<CompactionResult> {
  for (const step of planFallbacks(ports.session(), failed)) {
    if (step.action === 'trim') return storeTrim(ports, step.trim, failed.requestId)
    if (step.action !== 'compact') continue
    const result = await compactByCode(ports, step.compaction)
    if (result.didCompact) return result
  }
  return unchanged(failed)
}

/** A compaction whose strategy asks no model: nobody waits for it. */
export async function compactByCode(ports: DriverPorts, plan: CompactionPlan): Promise<CompactionResult> {
  const context = ports.session()
  const { policy, limits } = context
  if (limits === null) return unchanged(plan)
  const outcome = await runCompaction({
    plan,
    policy,
    limits,
    strategies: ports.strategies,
    ask: () => Promise.reject(new Error('a summary by code asks no model')),
    signal: { aborted: false },
    measureAfter: createMoveMeter(context),
    ...(ports.log === undefined ? {} : { log: ports.log }),
  })
  return storeSummary(ports, plan, outcome)
}

/** Leaves the oldest messages out; the user is told. */
export async function storeTrim(ports: DriverPorts, trim: TrimPlan, requestId?: string): Promise<CompactionResult> {
  const context = ports.session()
  const entry = createTrimEntry(trim, context)
  await ports.append([entry], { epoch: trim.epoch, requestId })
  const { tokensAfter } = entry
  ports.tell({ type: 'trimmed', trim, tokensAfter })
  const { fallback } = context.policy.compaction
  const way = fallback === 'trim-count' ? 'trim-count' : 'trim-oldest'
  return { didCompact: false, fallback: way, tokensBefore: trim.tokensBefore, tokensAfter, score: null, problem: null }
}
