import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 50

/** Waits until nothing is under way any more, or the time is up. */
export async function waitUntilIdle(isIdle: () => boolean, timeoutMs: number): Promise<void> {
  for (const until = performance.now() + timeoutMs; !isIdle() && performance.now() < until;) await pause(LOOK_MS)
}
