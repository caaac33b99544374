import type { Clock, StopSignal } from './ports.ts'

/** The time that one turn may still wait for maintenance, in all. Waiting uses it up. */
export interface Patience {
  leftMs: number
}

/** Calls that were told to stop have this long to say what they cost. */
export const LAST_BILL_MS = 500

/** Somebody who waits: for how long, and until when they give up. */
export interface Waiting {
  readonly patience: Patience
  readonly signal: StopSignal
  /** Aborted when somebody else waits behind this turn: then it does not wait any longer, and code makes room. */
  readonly hurry?: StopSignal | undefined
}

export interface WaitOptions extends Waiting {
  readonly clock: Clock
  /** The most of the patience that may go into this one wait. */
  readonly maxMs?: number
}

/** Waits for work until it ends, the patience has run out or somebody does not want to wait. The work goes on either way. */
export async function waitFor(work: Promise<unknown>, options: WaitOptions): Promise<void> {
  const { clock, patience, signal, hurry, maxMs = Infinity } = options
  const ms = Math.min(patience.leftMs, maxMs)
  if (ms <= 0 || signal.aborted || hurry?.aborted === true) return
  const begin = clock.now()
  await new Promise<void>((resolve) => {
    const cancelTimer = clock.after(ms, end)
    signal.addEventListener('abort', end)
    hurry?.addEventListener('abort', end)
    work.then(end, end)
    function end(): void {
      cancelTimer()
      signal.removeEventListener('abort', end)
      hurry?.removeEventListener('abort', end)
      resolve()
    }
  })
  patience.leftMs = Math.max(0, patience.leftMs - (clock.now() - begin))
}
