import type { CompactionPlan } from '../compaction/compaction-plan.ts'
import type { CompactionOutcome } from '../compaction/run-compaction.ts'
import { MODEL_FREE_STRATEGY } from '../compaction/strategy.ts'
import { isStillValid } from '../request/plan/is-still-valid.ts'
import { createMoveMeter } from '../request/plan/measure-move.ts'
import type { Usage } from '../transcript/message.ts'
import { readGauge } from './read-gauge.ts'
import type { CompactionResult, DriverPorts } from './ports.ts'

/**
 * Stores a summary if it still fits what is there: the same base, the same model, and smaller by the meter of this
 * moment. A failure is stored as such; work that was given up leaves its bill behind.
 */
export async function storeSummary(
  ports: DriverPorts,
  plan: CompactionPlan,
  outcome: CompactionOutcome,
): Promise<CompactionResult> {
  if (outcome.kind === 'compacted') return storeCompaction(ports, plan, outcome.entry)
  if (outcome.kind === 'cancelled') {
    await billDiscarded(ports, outcome.usage)
  } else {
    const reason = outcome.problems.join('; ')
    const failure = { type: 'maintenance-failed', work: 'compaction', reason } as const
    await ports.append([outcome.usage === null ? failure : { ...failure, usage: outcome.usage }])
  }
  return unchanged(plan, outcome.kind === 'failed' ? outcome.problems.join('; ') : 'it was cancelled')
}

async function storeCompaction(
  ports: DriverPorts,
  plan: CompactionPlan,
  entry: Extract<CompactionOutcome, { kind: 'compacted' }>['entry'],
): Promise<CompactionResult> {
  const context = ports.session()
  const tokens = readGauge(context).tokens ?? plan.tokensBefore
  const tokensAfter = createMoveMeter(context)({ move: plan.move, document: entry.document })
  const isValid = isStillValid(plan, context.state)
  if (!isValid || tokensAfter >= tokens) {
    const reason = isValid ? 'it would not be smaller any more' : 'the context changed before the summary was ready'
    ports.tell({ type: 'summary-discarded', plan, reason })
    await billDiscarded(ports, entry.usage ?? null)
    return unchanged(plan, reason)
  }
  await ports.append([{ ...entry, tokensBefore: tokens, tokensAfter }], {
    epoch: plan.epoch,
    requestId: plan.requestId,
  })
  await ports.afterCompaction?.()
  const fallback = plan.strategy === MODEL_FREE_STRATEGY ? 'extractive' : null
  return { didCompact: true, fallback, tokensBefore: tokens, tokensAfter, score: entry.score ?? null, problem: null }
}

/** The result of a compaction that changed nothing. */
export function unchanged(
  { tokensBefore }: Pick<CompactionPlan, 'tokensBefore'>,
  problem: string | null = null,
): CompactionResult {
  return { didCompact: false, fallback: null, tokensBefore, tokensAfter: tokensBefore, score: null, problem }
}

/** Calls that were paid for count, also where nothing came of them. */
export async function billDiscarded({ append, session }: DriverPorts, usage: Usage | null | undefined): Promise<void> {
  if (usage === null || usage === undefined) return
  await append([{ type: 'bill', work: 'discarded', model: session().model ?? '', usage }])
}
