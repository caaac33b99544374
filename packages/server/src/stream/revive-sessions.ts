import type { ServerContext } from '../server-context.ts'
import { owesAnswer } from './open-work.ts'

const LOOK_MS = 2_000
/** A session that is not helped by being looked after is left alone for this long. */
const AGAIN_MS = 60_000

/**
 * A turn whose server died goes on by itself where somebody watches it: the message is in the transcript already, so no
 * inbox shows that it waits. What waits in inboxes is taken over by the agent.
 */
export function startReviving({
  runtime: { store, agent },
  follower,
  log,
}: Pick<ServerContext, 'runtime' | 'follower' | 'log'>): { stop(): void } {
  const revivedAt = new Map<string, number>()

  async function look(): Promise<void> {
    const followed = follower.followed()
    for (const id of revivedAt.keys()) if (!followed.includes(id)) revivedAt.delete(id)
    for (const id of followed) {
      if (performance.now() - (revivedAt.get(id) ?? -Infinity) < AGAIN_MS) continue
      if ((await store.leases.getOwner(id)) !== null || !(await owesAnswer(store, id))) continue
      revivedAt.set(id, performance.now())
      log({ level: 'info', event: 'turn-revived', message: 'Its owner is gone: this server goes on.', sessionId: id })
      await agent.resume(id)
    }
  }

  let looking: Promise<void> | null = null
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log({ level: 'warn', event: 'revival-failed', message: String(error) }))
      .finally(() => (looking = null))
  }, LOOK_MS).unref()
  return { stop: () => clearInterval(timer) }
}
