import { waitedTimeouts } from '../compaction/calls/timeouts.ts'
import type { Timeouts } from '../compaction/calls/timeouts.ts'
import type { CompactionPlan } from '../compaction/compaction-plan.ts'
import { isStillValid } from '../request/plan/is-still-valid.ts'
import { LAST_BILL_MS, waitFor } from './patience.ts'
import type { Waiting } from './patience.ts'
import type { CompactionResult, DriverPorts } from './ports.ts'
import { storeSummary, unchanged } from './store-summary.ts'
import { CANCELLED, startSummary, waitForSummary } from './summary-work.ts'
import type { SummaryWork } from './summary-work.ts'

/** Makes room in another way, where there is no summary. */
export type ShrinkInstead = (plan: CompactionPlan) => Promise<CompactionResult>

/** The one summary of a session that is being made, or is ready and not used yet. */
export interface HeldSummary {
  /** Starts one that is kept for later, unless one is held. */
  startAhead(plan: CompactionPlan): Promise<void>
  /** Uses the one that is ready, and returns the result; else sees to it that one is on its way, and returns null. */
  startBeside(plan: CompactionPlan): Promise<CompactionResult | null>
  /** The turn waits for one, within its patience; `instead` is called where none came. */
  wait(plan: CompactionPlan, waiting: Waiting, instead: ShrinkInstead | null): Promise<CompactionResult>
  /** Starts one that somebody asked for, in the place of any other. `result` resolves once it has been put in place, or not. */
  startManual(
    plan: CompactionPlan,
  ): Promise<{ readonly result: Promise<CompactionResult>; readonly cancel: () => void }>
  /** Puts a summary in place that is ready and due. */
  useFinished(): Promise<void>
  /** The one that is being made; null: none is. `due`: one that is kept for later does not count. */
  current(scope: 'all' | 'due'): Promise<void> | null
  isHeld(): boolean
  /** Whether the one that is held was asked for by somebody. */
  isAskedFor(): boolean
  /** Ends the one that is being made. `due`: not one that is kept for later. */
  giveUp(scope: 'all' | 'due'): void
  /** The last call: uses the one that is ready. */
  close(): Promise<void>
}

interface Held {
  readonly work: SummaryWork
  readonly result: Promise<CompactionResult>
  readonly settle: (result: CompactionResult) => void
  /** To be put in place as soon as it is ready; false: kept for later. */
  isDue: boolean
  /** Users were told that it has started. */
  isTold: boolean
}

export interface HeldSummaryOptions {
  /** Called when a summary is ready or has failed: the moment to put it in place may be now. */
  readonly onDone: () => Promise<void>
  readonly instead: ShrinkInstead
}

const TOO_LATE = {
  kind: 'failed',
  problems: ['it took longer than a turn may wait'],
  usage: null,
} as const

export function createHeldSummary(ports: DriverPorts, { onDone, instead }: HeldSummaryOptions): HeldSummary {
  const { clock, session, tell } = ports
  let held: Held | null = null
  let isClosed = false

  function findUsable(): Held | null {
    return held !== null && isStillValid(held.work.plan, session().state) ? held : null
  }

  /** A summary that was held before is of no use any more. */
  async function start(plan: CompactionPlan, how: StartOptions): Promise<Held> {
    if (held !== null) {
      held.work.giveUp(CANCELLED)
      await finish(held, null)
    }
    const { isDue, isOptional, timeouts } = how
    const { promise: result, resolve: settle } = createPromise<CompactionResult>()
    const work = startSummary(ports, plan, {
      ...(timeouts === undefined ? {} : { timeouts }),
      ...(isOptional ? { onAffordable: () => void (isDue && tellStart(mine, false)) } : {}),
    })
    const mine: Held = { work, result, settle, isDue, isTold: false }
    held = mine
    void work.done.then(onDone)
    return mine
  }

  function tellStart(mine: Held, isWaited: boolean): void {
    mine.isTold = true
    const { reason, tokensBefore } = mine.work.plan
    tell({ type: 'compact-started', reason, tokensBefore, isWaited })
  }

  /** Stores what became of a summary, and tells it. */
  async function finish(mine: Held, shrink: ShrinkInstead | null): Promise<CompactionResult> {
    if (held === mine) held = null
    const { plan } = mine.work
    let result = unchanged(plan)
    try {
      result = await storeSummary(ports, plan, mine.work.outcome() ?? CANCELLED)
      if (!result.didCompact && shrink !== null) result = await shrink(plan)
    } finally {
      if (mine.isTold || result.didCompact) tell({ type: 'compact-completed', reason: plan.reason, ...result })
      mine.settle(result)
    }
    return result
  }

  /** One that was made ahead and failed is only recorded: now that a summary is due, another is tried. */
  async function dropFailedPreparation(): Promise<void> {
    const mine = findUsable()
    const outcome = mine?.work.outcome() ?? null
    if (mine === null || outcome === null || mine.isDue || outcome.kind === 'compacted') return
    await finish(mine, null)
  }

  async function useFinished(): Promise<CompactionResult | null> {
    const outcome = held?.work.outcome() ?? null
    if (held === null || !held.isDue || outcome === null) return null
    return finish(held, outcome.kind === 'failed' ? instead : null)
  }

  return {
    async startAhead(plan) {
      if (!isClosed && findUsable() === null) await start(plan, { isDue: false, isOptional: true })
    },
    async startBeside(plan) {
      await dropFailedPreparation()
      const mine = findUsable()
      if (mine === null) {
        if (!isClosed) await start(plan, { isDue: true, isOptional: true })
        return null
      }
      mine.isDue = true
      if (mine.work.outcome() === null && !mine.isTold) tellStart(mine, false)
      return useFinished()
    },
    async wait(plan, { patience, signal }, shrink) {
      await dropFailedPreparation()
      const begun = findUsable()
      // A summary that nobody has time for is not asked for: it would be paid for, and counted as a failure.
      if (begun === null && patience.leftMs <= 0) return shrinkAtOnce(ports, plan, shrink)
      const timeouts = waitedTimeouts(session().policy, patience.leftMs)
      const mine = begun ?? (await start(plan, { isDue: true, isOptional: false, timeouts }))
      mine.isDue = true
      if (mine.work.outcome() === null) tellStart(mine, true)
      await ports.noteWork?.({ work: 'compaction' })
      await waitForSummary(ports, mine.work, { patience, signal })
      const isLeft = signal.aborted && begun !== null && mine.work.outcome() === null
      if (!isLeft) mine.work.giveUp(signal.aborted ? CANCELLED : TOO_LATE)
      const result = isLeft ? unchanged(plan) : await finish(mine, signal.aborted ? null : shrinkFor(plan, shrink))
      await ports.noteWork?.(null)
      return result
    },
    async startManual(plan) {
      const mine = await start(plan, { isDue: true, isOptional: false })
      tellStart(mine, false)
      return { result: mine.result, cancel: () => mine.work.giveUp(CANCELLED) }
    },
    useFinished: async () => void (await useFinished()),
    current: (scope) =>
      held === null || held.work.outcome() !== null || (scope === 'due' && !held.isDue) ? null : held.work.done,
    isHeld: () => held !== null,
    isAskedFor: () => held?.work.plan.reason === 'manual',
    giveUp(scope) {
      if (held !== null && (scope === 'all' || held.isDue)) held.work.giveUp(CANCELLED)
    },
    async close() {
      isClosed = true
      const mine = held
      if (mine === null) return
      mine.work.giveUp(CANCELLED)
      await finish(mine, null)
      const signal = ports.createStop().signal
      await waitFor(mine.work.ended, { clock, signal, patience: { leftMs: LAST_BILL_MS } })
    },
  }
}

async function shrinkAtOnce(
  ports: DriverPorts,
  plan: CompactionPlan,
  shrink: ShrinkInstead | null,
): Promise<CompactionResult> {
  const result = shrink === null ? unchanged(plan) : await shrink(plan)
  if (result.didCompact) ports.tell({ type: 'compact-completed', reason: plan.reason, ...result })
  return result
}

/** Whatever a summary was begun for: now there is a turn that does not fit, and more may go for it. */
function shrinkFor({ reason }: CompactionPlan, shrink: ShrinkInstead | null): ShrinkInstead | null {
  return shrink === null ? null : (begun) => shrink({ ...begun, reason })
}

interface StartOptions {
  readonly isDue: boolean
  /** Left undone where it cannot be paid for. */
  readonly isOptional: boolean
  readonly timeouts?: Timeouts
}

function createPromise<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve = (_value: T): void => undefined
  const promise = new Promise<T>((settle) => void (resolve = settle))
  return { promise, resolve }
}
