import { besideTimeouts } from '../compaction/calls/timeouts.ts'
import type { Timeouts } from '../compaction/calls/timeouts.ts'
import type { CompactionPlan } from '../compaction/compaction-plan.ts'
import { runCompaction } from '../compaction/run-compaction.ts'
import type { CompactionOutcome } from '../compaction/run-compaction.ts'
import { createMoveMeter } from '../request/plan/measure-move.ts'
import { waitFor } from './patience.ts'
import type { Waiting } from './patience.ts'
import type { DriverPorts, StopSource } from './ports.ts'
import { billDiscarded } from './store-summary.ts'

/** One summary that is being made, or is ready. It changes nothing until it is put in place. */
export interface SummaryWork {
  readonly plan: CompactionPlan
  readonly startedAt: number
  /** Resolves once there is an outcome. Never rejects. */
  readonly done: Promise<void>
  /** Resolves once its calls have ended, which may be after it was given up. Never rejects. */
  readonly ended: Promise<void>
  /** null while it is being made. */
  outcome(): CompactionOutcome | null
  /** The last sign of life: its start, or the last reply of a model. Another object after each reply. */
  progress(): Progress
  /** Sets the outcome of a summary that is still being made, and stops its calls. */
  giveUp(outcome: Exclude<CompactionOutcome, { kind: 'compacted' }>): void
}

interface Progress {
  readonly at: number
}

export interface SummaryOptions {
  readonly timeouts?: Timeouts
  /** Absent: the summary must be had, whatever was spent today. Present: called when it is about to be asked for. */
  readonly onAffordable?: () => void
}

export const CANCELLED = { kind: 'cancelled', usage: null } as const

/** Starts a summary. It has an outcome after its time at the latest, also where the model never answers. */
export function startSummary(ports: DriverPorts, plan: CompactionPlan, options: SummaryOptions = {}): SummaryWork {
  const stop = ports.createStop()
  const { timeouts = besideTimeouts(ports.session().policy), onAffordable } = options
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const startedAt = ports.clock.now()
  let progress: Progress = { at: startedAt }
  let outcome: CompactionOutcome | null = null

  function end(ended: CompactionOutcome): void {
    cancelTimer()
    outcome = ended
    ports.tell({ type: 'summary-made', plan, outcome })
    resolve()
  }
  const giveUp: SummaryWork['giveUp'] = (given) => {
    if (outcome !== null) return
    stop.abort()
    end(given)
  }
  const cancelTimer = ports.clock.after(timeouts.totalMs, () =>
    giveUp({ kind: 'failed', problems: ['timed out as a whole'], usage: null }),
  )
  const run = async (): Promise<void> => {
    try {
      if (onAffordable !== undefined && !(await ports.maySpend())) return giveUp(CANCELLED)
      if (ports.pause !== undefined) await ports.pause()
      if (outcome !== null) return
      onAffordable?.()
      const onReply = (): void => void (progress = { at: ports.clock.now() })
      const written = await writeSummary(ports, plan, { callMs: timeouts.callMs, stop, onReply })
      if (outcome === null) end(written)
      else await billDiscarded(ports, written.kind === 'compacted' ? written.entry.usage : written.usage)
    } catch (error) {
      if (outcome === null) end({ kind: 'failed', problems: [String(error)], usage: null })
      else ports.tell({ type: 'problem', work: 'compaction', error })
    }
  }
  return { plan, startedAt, done, ended: run(), outcome: () => outcome, progress: () => progress, giveUp }
}

/**
 * Waits for a summary, also for one that was begun earlier and has had a part of its time already. A chunked one is
 * waited for as long as its calls are answered: else a turn would give up, shortly before its end, a summary of which most
 * is written.
 */
export async function waitForSummary(ports: DriverPorts, work: SummaryWork, waiting: Waiting): Promise<void> {
  const { timeoutMs, maxInputChars } = ports.session().policy.compaction
  const isChunked = maxInputChars === 'chunked'
  const { clock } = ports
  for (let seen: Progress | null = null; work.outcome() === null && work.progress() !== seen;) {
    seen = work.progress()
    const since = isChunked ? seen.at : work.startedAt
    await waitFor(work.done, { clock, ...waiting, maxMs: since + timeoutMs - clock.now() })
  }
}

async function writeSummary(
  ports: DriverPorts,
  plan: CompactionPlan,
  { callMs, stop, onReply }: { readonly callMs: number; readonly stop: StopSource; readonly onReply: () => void },
): Promise<CompactionOutcome> {
  const context = ports.session()
  const { policy, limits } = context
  if (limits === null) return { kind: 'failed', problems: ['the window is unknown'], usage: null }
  const { ask, modelId } = ports.summarizer(plan)
  return runCompaction({
    plan,
    policy,
    limits,
    strategies: ports.strategies,
    async ask(request, signal) {
      const reply = await ask(request, signal)
      onReply()
      return reply
    },
    signal: stop.signal,
    callTimeoutMs: callMs,
    measureAfter: createMoveMeter(context),
    ...(modelId === undefined ? {} : { modelId }),
    ...(ports.log === undefined ? {} : { log: ports.log }),
  })
}
