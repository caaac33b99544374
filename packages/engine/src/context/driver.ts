import type { CompactionPlan, NothingToCompact } from '../compaction/compaction-plan.ts'
import { MODEL_FREE_STRATEGY } from '../compaction/strategy.ts'
import { isAutomatic } from '../compaction/trigger.ts'
import type { CheckPoint } from '../compaction/trigger.ts'
import type { PrunePlan } from '../pruning/prune-plan.ts'
import { isBreakerOpen } from '../request/fold/breaker.ts'
import { createPruneEntry } from '../request/plan/plan-entries.ts'
import { planResultTrimming, planShrinking } from '../request/plan/plan-shrinking.ts'
import type { FailedShrinking } from '../request/plan/plan-shrinking.ts'
import { planNext } from '../request/plan/plan.ts'
import type { Plan, PlannedStep } from '../request/plan/planned-step.ts'
import { createFlushing } from './flushing.ts'
import { createHeldSummary } from './held-summary.ts'
import { LAST_BILL_MS, waitFor } from './patience.ts'
import type { Waiting } from './patience.ts'
import type { CompactionResult, DriverPorts, StopSignal } from './ports.ts'
import { createQueue } from './queue.ts'
import { readGauge } from './read-gauge.ts'
import { compactByCode, compactByFallbacks, storeTrim } from './compact-by-code.ts'

export interface ReadyInput extends Waiting {
  readonly checkPoint: CheckPoint
}

export interface RefusedInput extends Waiting {
  /** The size of the refused request. */
  readonly tokensBefore: number
  /** How often this request was refused before. */
  readonly refusals: number
}

export interface ManualInput {
  readonly instructions?: string | undefined
  /** The request that the stored entry answers. */
  readonly requestId?: string
  readonly signal: StopSignal
}

export type ManualResult = CompactionResult | { readonly didCompact: false; readonly nothing: NothingToCompact }

/** The one loop around the engine's plans: it asks what to do, does it or lets it run beside the conversation, and asks again. */
export interface Driver {
  /**
   * Does what is due at a check point and returns the plan that says to go on or to stop. Waits only for a request that
   * does not fit, and where the policy compacts before the call. From then until the next call a request is under way.
   */
  ready(input: ReadyInput): Promise<Plan>
  /** Makes the context smaller after a provider refused it. False: nothing is left that could go. */
  makeRoom(input: RefusedInput): Promise<boolean>
  /** Compacts because somebody asked for it. Requests do not wait for it; it is put in place as soon as it is ready. */
  compact(input: ManualInput): Promise<ManualResult>
  /** Saves memory before something is lost whatever its size, once a cycle, from a copy. Resolves when that has ended. */
  flush(): Promise<void>
  /**
   * Resolves when nothing runs beside the conversation any more and a summary that is due is in place. `due`: summaries
   * that are made ahead, and are kept for later, do not count.
   */
  settled(scope?: 'all' | 'due'): Promise<void>
  /** Ends what is under way beside the conversation; a summary that is made ahead goes on. */
  cancel(): void
  /** Whether a summary or a flush is under way. */
  isBusy(): boolean
  /** Whether a summary is being made, or is ready and not used yet. */
  holdsSummary(): boolean
  /** Ends what is under way; nothing is started any more. A summary that is ready is used: it has been paid for. */
  stop(): Promise<void>
}

/** Every step changes what the next plan sees; this only guards against a plan that does not. */
const MAX_STEPS = 24
/** Compactions by a model that are tried for one refused request. */
const MAX_COMPACTIONS = 3

export function createDriver(ports: DriverPorts): Driver {
  const { clock, session, tell } = ports
  const flushing = createFlushing(ports)
  const inTurn = createQueue()
  let isRequestOpen = false
  const held = createHeldSummary(ports, { onDone: useBetweenRequests, instead: compactInstead })

  async function ready(input: ReadyInput): Promise<Plan> {
    isRequestOpen = false
    await held.useFinished()
    const plan = await maintain(input)
    const { checkPoint, signal } = input
    isRequestOpen = checkPoint !== 'after-response' && plan.action !== 'block' && !signal.aborted
    return plan
  }

  async function maintain(input: ReadyInput): Promise<Plan> {
    const { checkPoint, signal } = input
    let mayFlush = true
    for (let step = 0; ; step += 1) {
      const canFlush = mayFlush && flushing.canStart()
      const plan = planNext({ ...session(), checkPoint, canFlush, now: clock.now() })
      if (step >= MAX_STEPS || signal.aborted) return plan
      switch (plan.action) {
        case 'proceed':
        case 'block':
          return plan
        case 'prune':
          await prune(plan.prune, false)
          break
        case 'trim':
          await storeTrim(ports, plan.trim)
          break
        case 'flush':
          // One try at each check point: a flush that failed now is likely to fail again.
          mayFlush = false
          await flushing.run(plan, input)
          break
        case 'compact':
          if (!(await compactAsPlanned(plan, input)))
            return { action: 'proceed', reason: 'under-way', numbers: plan.numbers }
          break
        default:
          plan satisfies never
      }
    }
  }

  /** True: the context or what is known about it has changed, so the next plan is another. */
  async function compactAsPlanned({ compaction: plan, timing }: CompactStep, waiting: Waiting): Promise<boolean> {
    if (plan.strategy === MODEL_FREE_STRATEGY) {
      tellResult(plan, await compactByCode(ports, plan))
      return true
    }
    switch (timing) {
      case 'ahead':
        await held.startAhead(plan)
        return false
      case 'beside':
        return hasShrunk(await held.startBeside(plan))
      case 'wait':
        if (plan.reason === 'threshold' && !(await ports.maySpend())) return false
        return hasShrunk(await held.wait(plan, waiting, compactInstead))
      default:
        return timing satisfies never
    }
  }

  async function useBetweenRequests(): Promise<void> {
    try {
      await inTurn(async () => (isRequestOpen && !held.isAskedFor() ? undefined : held.useFinished()))
    } catch (error) {
      tell({ type: 'problem', work: 'compaction', error })
    }
  }

  function compactInstead(plan: CompactionPlan): Promise<CompactionResult> {
    return compactByFallbacks(ports, { ...plan, tokensBefore: readGauge(session()).tokens ?? plan.tokensBefore })
  }

  async function prune(plan: PrunePlan, isForced: boolean): Promise<void> {
    await ports.append([createPruneEntry(plan)])
    tell({ type: 'pruned', reason: plan.reason, parts: plan.decisions.length, isForced })
  }

  function tellResult({ reason }: FailedShrinking, result: CompactionResult): void {
    tell({ type: 'compact-completed', reason, ...result })
  }

  async function makeRoom({ refusals, tokensBefore, ...waiting }: RefusedInput): Promise<boolean> {
    const { signal, patience } = waiting
    isRequestOpen = false
    if (isAutomatic(session().policy.compaction)) flushing.startBeforeLoss()
    const overflow = { reason: 'overflow', tokensBefore } as const
    const isBroken = isBreakerOpen(session().state.head, clock.now())
    if (refusals < MAX_COMPACTIONS && !isBroken && patience.leftMs > 0 && !signal.aborted) {
      const plan = planShrinking(session(), overflow)
      if (plan.action === 'compact' && (await held.wait(plan, waiting, null)).didCompact) return true
    }
    const cut = planResultTrimming(session())
    if (cut !== null) {
      await prune(cut, true)
      return true
    }
    if (signal.aborted) return false
    const result = await compactByFallbacks(ports, overflow)
    if (result.didCompact) tellResult(overflow, result)
    return hasShrunk(result)
  }

  async function startManual({ instructions, requestId }: ManualInput) {
    const plan = planShrinking(session(), {
      reason: 'manual',
      tokensBefore: readGauge(session()).tokens ?? 0,
      ...(instructions === undefined ? {} : { instructions }),
      ...(requestId === undefined ? {} : { requestId }),
    })
    if (plan.action === 'none') return plan
    return { action: 'compact', ...(await held.startManual(plan)) } as const
  }

  return {
    ready: (input) => inTurn(() => ready(input)),
    makeRoom: (input) => inTurn(() => makeRoom(input)),
    async compact(input) {
      await flushing.beforeLoss({ signal: input.signal, patience: { leftMs: session().policy.compaction.timeoutMs } })
      const started = await inTurn(() => startManual(input))
      if (started.action === 'none') return { didCompact: false, nothing: started.reason }
      const { signal } = input
      if (signal.aborted) started.cancel()
      signal.addEventListener('abort', started.cancel)
      try {
        return await started.result
      } finally {
        signal.removeEventListener('abort', started.cancel)
      }
    },
    async flush() {
      flushing.startBeforeLoss()
      await flushing.current()
    },
    async settled(scope = 'all') {
      do {
        await Promise.all(underWay(scope))
        // A summary that has just ended is put in place in its turn.
        await inTurn(async () => undefined)
      } while (underWay(scope).length > 0)
    },
    cancel() {
      flushing.cancel()
      held.giveUp('due')
    },
    isBusy: () => underWay('all').length > 0,
    holdsSummary: held.isHeld,
    async stop() {
      const flush = flushing.current()
      flushing.close()
      held.giveUp('all')
      await inTurn(held.close)
      if (flush === null) return
      await waitFor(flush, { clock, signal: ports.createStop().signal, patience: { leftMs: LAST_BILL_MS } })
    },
  }

  function underWay(scope: 'all' | 'due'): readonly Promise<void>[] {
    return [held.current(scope), flushing.current()].filter((work) => work !== null)
  }
}

type CompactStep = Extract<PlannedStep, { action: 'compact' }>

function hasShrunk(result: CompactionResult | null): boolean {
  return result !== null && (result.didCompact || result.fallback !== null)
}
