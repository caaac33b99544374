import { setTimeout as pause } from 'node:timers/promises'
import type { Agent } from '@longhaul/runtime'

const LOOK_MS = 50

/** Until nothing is under way in this process, or the time is up. */
export async function waitUntilIdle(agent: Pick<Agent, 'countBusy'>, timeoutMs: number): Promise<void> {
  for (const until = performance.now() + timeoutMs; agent.countBusy() > 0 && performance.now() < until;)
    await pause(LOOK_MS)
}
