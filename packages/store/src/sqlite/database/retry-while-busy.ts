import { setTimeout } from 'node:timers/promises'
import { isBusy, toStoreError } from './sqlite-error.ts'

export interface BusyOptions {
  readonly file: string
  readonly waitMs: number
}

/** Tries again while another connection holds the lock; the event loop runs on meanwhile. */
export async function retryWhileBusy<T>(work: () => T, { file, waitMs }: BusyOptions): Promise<T> {
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw toStoreError(error, file)
    }
    await waitForLock()
  }
}

/** At random, so that two processes do not knock at the same moments for ever. */
export async function waitForLock(): Promise<void> {
  await setTimeout(1 + Math.random() * 9)
}
