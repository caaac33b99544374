import { measureTime } from './measure-time.ts'
import type { Timing } from './measure-time.ts'
import type { Peer } from './peers/peer.ts'
import { createMessages } from './transcript.ts'

/** One task on one size. Without a timing it was left out: on the size before, one call took too long already. */
export interface PeerTime {
  readonly peer: string
  readonly task: string
  readonly size: number
  readonly timing: Timing | null
}

/** A task whose calls took longer is not run on the next size, where they would take ten or a hundred times as long. */
const SLOW_CALL_MS = 5_000
const QUICK_SLOW_CALL_MS = 100

/** Each peer gets the whole conversation each time, because that is what its interface takes. */
export async function measurePeerTimes(
  peers: readonly Peer[],
  sizes: readonly number[],
  isQuick: boolean,
): Promise<readonly PeerTime[]> {
  const options = { maxRuns: isQuick ? 7 : 15, maxTotalMs: isQuick ? 800 : 4_000 }
  const times: PeerTime[] = []
  for (const size of sizes) {
    const messages = createMessages(size)
    for (const peer of peers) {
      for (const task of peer.tasks) {
        const before = times.findLast((time) => time.peer === peer.name && time.task === task.name)
        const beforeMs = before === undefined ? 0 : (before.timing?.p50Ms ?? Infinity)
        const isSlow = beforeMs > (isQuick ? QUICK_SLOW_CALL_MS : SLOW_CALL_MS)
        const timing = isSlow ? null : await measureTime(task.prepare(messages), options)
        times.push({ peer: peer.name, task: task.name, size, timing })
      }
    }
  }
  return times
}
