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
type CompactInstead = (plan: CompactionPlan) => Promise<CompactionResult>

/** The one summary of a session that is being made, or is ready and not used yet. */
export interface HeldSummary {
  /** Starts one that is kept for later, unless one is held. */
  readonly startAhead: (plan: CompactionPlan) => Promise<void>
  /** Uses the one that is ready, and returns the result; else sees to it that one is on its way, and returns null. */
  readonly startBeside: (plan: CompactionPlan) => Promise<CompactionResult | null>
  /** The turn waits for one, within its patience; `instead` is called where none came. */
  readonly wait: (plan: CompactionPlan, waiting: Waiting, instead: CompactInstead | null) => Promise<CompactionResult>
  /** Starts one that somebody asked for, in the place of any other. */
  readonly startManual: (plan: CompactionPlan) => Promise<ManualSummary>
  /** Puts a summary in place that is ready and due. */
  readonly useFinished: () => Promise<CompactionResult | null>
  /** The one that is being made; null: none is. `due`: one that is kept for later, or that somebody asked for, does not count. */
  readonly current: (scope: 'all' | 'due') => Promise<void> | null
  readonly isHeld: () => boolean
  /** Whether the one that is held was asked for by somebody. */
  readonly isAskedFor: () => boolean
  /** Ends the one that is being made. `due`: not one that is kept for later. */
  readonly giveUp: (scope: 'all' | 'due') => void
  /** Uses the one that is ready, and ends the one that is not. None is started any more. */
  readonly close: () => Promise<void>
}

export interface ManualSummary {
  /** Resolves once the summary has been put in place, or has come to nothing. */
  readonly result: Promise<CompactionResult>
  readonly cancel: () => void
}

export interface HeldSummaryOptions {
  /** Called when a summary is ready or has failed: the moment to put it in place may be now. */
  readonly onDone: () => Promise<void>
  readonly instead: CompactInstead
}

const TOO_LATE = { kind: 'failed', problems: ['it took longer than a turn may wait'], usage: null } as const

export function createHeldSummary(ports: DriverPorts, { onDone, instead }: HeldSummaryOptions): HeldSummary {
  const slot = createSlot(ports, onDone)
  const { finish, findUsable, start, tellStart } = slot
  let isClosed = false

  /** One that was made ahead and failed is only recorded: now that a summary is due, another is tried. */
  async function dropFailedPreparation(): Promise<void> {
    const mine = findUsable()
    const outcome = mine?.work.outcome() ?? null
    if (mine === null || outcome === null || mine.isDue || outcome.kind === 'compacted') return
    await finish(mine, null)
  }

  async function useFinished(): Promise<CompactionResult | null> {
    const mine = slot.held()
    const outcome = mine?.work.outcome() ?? null
    if (mine === null || !mine.isDue || outcome === null) return null
    return finish(mine, outcome.kind === 'failed' ? instead : null)
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
    async wait(plan, waiting, compactInstead) {
      await dropFailedPreparation()
      return waitInTurn(ports, slot, { plan, waiting, instead: compactInstead })
    },
    async startManual(plan) {
      const mine = await start(plan, { isDue: true, isOptional: false })
      tellStart(mine, false)
      return { result: mine.result, cancel: () => mine.work.giveUp(CANCELLED) }
    },
    useFinished,
    current(scope) {
      const mine = slot.held()
      if (mine === null || mine.work.outcome() !== null) return null
      const counts = scope === 'all' || (mine.isDue && mine.work.plan.reason !== 'manual')
      return counts ? mine.work.done : null
    },
    isHeld: () => slot.held() !== null,
    isAskedFor: () => slot.held()?.work.plan.reason === 'manual',
    giveUp(scope) {
      const mine = slot.held()
      if (mine !== null && (scope === 'all' || mine.isDue)) mine.work.giveUp(CANCELLED)
    },
    async close() {
      isClosed = true
      const mine = slot.held()
      if (mine === null) return
      mine.work.giveUp(CANCELLED)
      await finish(mine, null)
      const { signal } = ports.createStop()
      await waitFor(mine.work.ended, { clock: ports.clock, signal, patience: { leftMs: LAST_BILL_MS } })
    },
  }
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

interface StartOptions {
  readonly isDue: boolean
  /** Left undone where it cannot be paid for. */
  readonly isOptional: boolean
  readonly timeouts?: Timeouts
}

/** The place for one summary. */
interface Slot {
  readonly held: () => Held | null
  /** The one that is held, unless the base moved or the model changed since it was planned. */
  readonly findUsable: () => Held | null
  /** Starts a summary; one that was held before is given up. */
  readonly start: (plan: CompactionPlan, how: StartOptions) => Promise<Held>
  readonly tellStart: (mine: Held, isWaited: boolean) => void
  /** Stores what became of a summary, and tells it. */
  readonly finish: (mine: Held, instead: CompactInstead | null) => Promise<CompactionResult>
}

function createSlot(ports: DriverPorts, onDone: () => Promise<void>): Slot {
  const { session, tell } = ports
  let held: Held | null = null

  async function start(plan: CompactionPlan, { isDue, isOptional, timeouts }: StartOptions): Promise<Held> {
    if (held !== null) {
      held.work.giveUp(CANCELLED)
      await finish(held, null)
    }
    const { promise: result, resolve: settle } = Promise.withResolvers<CompactionResult>()
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

  async function finish(mine: Held, instead: CompactInstead | null): Promise<CompactionResult> {
    if (held === mine) held = null
    const { plan } = mine.work
    let result = unchanged(plan)
    try {
      result = await storeSummary(ports, plan, mine.work.outcome() ?? CANCELLED)
      if (!result.didCompact && instead !== null) result = { ...(await instead(plan)), problem: result.problem }
    } finally {
      if (mine.isTold || result.didCompact) tell({ type: 'compact-completed', reason: plan.reason, ...result })
      mine.settle(result)
    }
    return result
  }

  const findUsable = (): Held | null => (held !== null && isStillValid(held.work.plan, session().state) ? held : null)
  return { held: () => held, findUsable, start, tellStart, finish }
}

interface WaitInput {
  readonly plan: CompactionPlan
  readonly waiting: Waiting
  readonly instead: CompactInstead | null
}

async function waitInTurn(ports: DriverPorts, slot: Slot, input: WaitInput): Promise<CompactionResult> {
  const { plan, waiting, instead } = input
  const { patience, signal } = waiting
  const begun = slot.findUsable()
  // A summary that nobody has time for is not asked for: it would be paid for, and counted as a failure.
  if (begun === null && patience.leftMs <= 0) return compactAtOnce(ports, plan, instead)
  const timeouts = waitedTimeouts(ports.session().policy, patience.leftMs)
  const mine = begun ?? (await slot.start(plan, { isDue: true, isOptional: false, timeouts }))
  mine.isDue = true
  if (mine.work.outcome() === null) slot.tellStart(mine, true)
  await ports.noteWork?.({ work: 'compaction' })
  // A request that fits would not be helped by code: where a policy compacts before the call, it waits for its summary.
  const hurry = plan.reason === 'threshold' ? undefined : waiting.hurry
  await waitForSummary(ports, mine.work, { patience, signal, hurry })
  const isLeft = signal.aborted && begun !== null && mine.work.outcome() === null
  if (!isLeft) mine.work.giveUp(signal.aborted ? CANCELLED : TOO_LATE)
  // Whatever a summary was begun for: now there is a turn that does not fit, and more may go for it.
  const { reason } = plan
  const forTurn: CompactInstead | null = instead === null ? null : (failed) => instead({ ...failed, reason })
  const result = isLeft ? unchanged(plan) : await slot.finish(mine, signal.aborted ? null : forTurn)
  await ports.noteWork?.(null)
  return result
}

async function compactAtOnce(
  { tell }: DriverPorts,
  plan: CompactionPlan,
  instead: CompactInstead | null,
): Promise<CompactionResult> {
  if (instead === null) return unchanged(plan)
  const result = await instead(plan)
  if (result.didCompact) tell({ type: 'compact-completed', reason: plan.reason, ...result })
  return result
}
