import { setTimeout as pause } from 'node:timers/promises'
import type { ServerContext } from '../server-context.ts'

const LOOK_MS = 50

/** Until no turn is under way in this process and everybody who follows one has heard its end, or the time is up. */
export async function waitUntilIdle(
  { runtime: { agent }, followedTurns }: Pick<ServerContext, 'runtime' | 'followedTurns'>,
  timeoutMs: number,
): Promise<void> {
  const isIdle = (): boolean => agent.countBusy() === 0 && followedTurns.size === 0
  for (const until = performance.now() + timeoutMs; !isIdle() && performance.now() < until;) await pause(LOOK_MS)
}
