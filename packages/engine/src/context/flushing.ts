import { planFlush } from '../flush/plan-flush.ts'
import { contextItems } from '../request/plan/session-context.ts'
import type { PlannedStep } from '../request/plan/planned-step.ts'
import { waitFor } from './patience.ts'
import type { Waiting } from './patience.ts'
import type { DriverPorts, StopSource } from './ports.ts'
import { readGauge } from './read-gauge.ts'

/** Saves what must last, one flush at a time. */
export interface Flushing {
  /** False: there is no memory, or a flush is under way. */
  readonly canStart: () => boolean
  /** Starts a flush; the turn waits for it only where the policy says so. */
  readonly run: (step: Extract<PlannedStep, { action: 'flush' }>, waiting: Waiting) => Promise<void>
  /** Starts one before something is lost whatever its size, once a cycle. */
  readonly startBeforeLoss: () => void
  /** The same, and waits for it or for the one under way. */
  readonly beforeLoss: (waiting: Waiting) => Promise<void>
  /** The flush under way; null: there is none. */
  readonly current: () => Promise<void> | null
  /** Ends the flush under way. */
  readonly cancel: () => void
  /** Ends the flush under way; none is started any more. */
  readonly close: () => void
}

/** A flush that is waited for leaves the rest of the patience to the compaction behind it. */
const PATIENCE_SHARE = 0.5

export function createFlushing(ports: DriverPorts): Flushing {
  let current: { readonly done: Promise<void>; readonly stop: StopSource } | null = null
  let isClosed = false

  function start(): Promise<void> {
    const { flush } = ports
    if (flush === null || isClosed) return Promise.resolve()
    if (current !== null) return current.done
    const stop = ports.createStop()
    const done = flush(stop.signal)
      .catch((error: unknown) => ports.tell({ type: 'problem', work: 'flush', error }))
      .finally(() => void (current = null))
    current = { done, stop }
    return done
  }

  function startBeforeLoss(): void {
    if (ports.flush === null || current !== null || !isDueBeforeLoss(ports)) return
    ports.tell({ type: 'flush-started', reason: 'forced', isWaited: false })
    void start()
  }

  return {
    canStart: () => ports.flush !== null && current === null && !isClosed,
    async run({ reason, timing }, { signal, patience, hurry }) {
      const isWaited = timing === 'wait'
      ports.tell({ type: 'flush-started', reason, isWaited })
      const done = start()
      if (!isWaited) return
      await ports.noteWork?.({ work: 'flush' })
      await waitFor(done, { clock: ports.clock, patience, signal, hurry, maxMs: patience.leftMs * PATIENCE_SHARE })
      await ports.noteWork?.(null)
    },
    startBeforeLoss,
    async beforeLoss(waiting) {
      startBeforeLoss()
      if (current !== null) await waitFor(current.done, { clock: ports.clock, ...waiting })
    },
    current: () => current?.done ?? null,
    cancel: () => current?.stop.abort(),
    close() {
      isClosed = true
      current?.stop.abort()
    },
  }
}

function isDueBeforeLoss({ session }: DriverPorts): boolean {
  const context = session()
  const { cycle, flush } = context.state.head
  const { due } = planFlush({
    usedTokens: readGauge(context).tokens,
    limits: context.limits,
    policy: context.policy,
    cycle,
    flushedCycle: flush.cycle,
    failuresThisCycle: flush.failures,
    isForced: true,
  })
  return due && contextItems(context.state).length > 0
}
