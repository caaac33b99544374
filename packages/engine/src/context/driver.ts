import type { NothingToCompact } from '../compaction/compaction-plan.ts'
import type { Plan } from '../request/plan/planned-step.ts'
import { createFlushing } from './flushing.ts'
import { createHeldSummary } from './held-summary.ts'
import { compactInstead, maintain, makeRoom, startManual } from './maintain.ts'
import type { ManualInput, ReadyInput, RefusedInput } from './maintain.ts'
import { LAST_BILL_MS, waitFor } from './patience.ts'
import type { CompactionResult, DriverPorts } from './ports.ts'
import { createQueue } from './queue.ts'

export type ManualResult = CompactionResult | { readonly didCompact: false; readonly nothing: NothingToCompact }

/** The one loop around the engine's plans: it asks what to do, does it or lets it run beside the conversation, and asks again. */
export interface Driver {
  /**
   * Does what is due at a check point and returns the plan that says to go on or to stop. Waits only for a request that
   * does not fit, and where the policy compacts before the call. From then until the next call a request is under way.
   */
  readonly ready: (input: ReadyInput) => Promise<Plan>
  /** Makes the context smaller after a provider refused it. False: nothing is left that could go. */
  readonly makeRoom: (input: RefusedInput) => Promise<boolean>
  /** Compacts because somebody asked for it. Requests do not wait for it; it is put in place as soon as it is ready. */
  readonly compact: (input: ManualInput) => Promise<ManualResult>
  /** Saves memory before something is lost whatever its size, once a cycle, from a copy. Resolves when that has ended. */
  readonly flush: () => Promise<void>
  /**
   * Resolves when nothing runs beside the conversation any more and a summary that is due is in place. `due`: a summary
   * that is kept for later, or that somebody asked for, does not count.
   */
  readonly settled: (scope?: 'all' | 'due') => Promise<void>
  /** Ends what is under way beside the conversation; a summary that is made ahead goes on. */
  readonly cancel: () => void
  /** Whether a summary or a flush is under way. */
  readonly isBusy: () => boolean
  /** Whether a summary is being made, or is ready and not used yet. */
  readonly holdsSummary: () => boolean
  /** Ends what is under way; nothing is started any more. A summary that is ready is used: it has been paid for. */
  readonly stop: () => Promise<void>
}

export function createDriver(ports: DriverPorts): Driver {
  const { clock, session, tell } = ports
  const inTurn = createQueue()
  let isRequestOpen = false
  const flushing = createFlushing(ports)
  const held = createHeldSummary(ports, {
    onDone: useBetweenRequests,
    instead: (plan) => compactInstead(ports, plan),
  })
  const maintenance = { ports, held, flushing }

  async function ready(input: ReadyInput): Promise<Plan> {
    isRequestOpen = false
    await held.useFinished()
    const plan = await maintain(maintenance, input)
    const { checkPoint, signal } = input
    isRequestOpen = checkPoint !== 'after-response' && plan.action !== 'block' && !signal.aborted
    return plan
  }

  async function useBetweenRequests(): Promise<void> {
    try {
      await inTurn(async () => (isRequestOpen && !held.isAskedFor() ? null : held.useFinished()))
    } catch (error) {
      tell({ type: 'problem', work: 'compaction', error })
    }
  }

  function underWay(scope: 'all' | 'due'): readonly Promise<void>[] {
    return [held.current(scope), flushing.current()].filter((work) => work !== null)
  }

  return {
    ready: (input) => inTurn(() => ready(input)),
    makeRoom: (input) =>
      inTurn(() => {
        isRequestOpen = false
        return makeRoom(maintenance, input)
      }),
    async compact(input) {
      const { signal } = input
      await flushing.beforeLoss({ signal, patience: { leftMs: session().policy.compaction.timeoutMs } })
      const started = await inTurn(() => startManual(maintenance, input))
      if ('action' in started) return { didCompact: false, nothing: started.reason }
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
}
