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
}

export interface WaitOptions extends Waiting {
  readonly clock: Clock
  /** The most of the patience that may go into this one wait. */
  readonly maxMs?: number
}

/** Waits for work until it ends, the patience has run out or the signal is aborted. The work goes on either way. */
export async function waitFor(work: Promise<unknown>, options: WaitOptions): Promise<void> {
  const { clock, patience, signal, maxMs = Infinity } = options
  const ms = Math.min(patience.leftMs, maxMs)
  if (ms <= 0 || signal.aborted) return
  const begin = clock.now()
  await new Promise<void>((resolve) => {
    const cancelTimer = clock.after(ms, end)
    signal.addEventListener('abort', end)
    work.then(end, end)
    function end(): void {
      cancelTimer()
      signal.removeEventListener('abort', end)
      resolve()
    }
  })
  patience.leftMs = Math.max(0, patience.leftMs - (clock.now() - begin))
}
