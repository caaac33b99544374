import type { Message } from '@longhaul/engine/advanced'
import { measureTime } from './measure-time.ts'
import type { Timing } from './measure-time.ts'
import type { Peer, PeerTask } from './peers/peer.ts'
import { createMessages } from './transcript.ts'

/** One task on one size. Without a timing it was left out, and `foretoldMs` says how long one call would take. */
export interface PeerTime {
  readonly peer: string
  readonly task: string
  readonly size: number
  readonly timing: Timing | null
  readonly foretoldMs: number | null
}

export interface PeerTimesInput {
  readonly peers: readonly Peer[]
  readonly sizes: readonly number[]
  readonly isQuick: boolean
}

const LONGEST_CALL_MS = 60_000
const LONGEST_QUICK_CALL_MS = 2_000

/** Each peer gets the whole conversation each time, because that is what its interface takes. */
export async function measurePeerTimes({ peers, sizes, isQuick }: PeerTimesInput): Promise<readonly PeerTime[]> {
  const times: PeerTime[] = []
  for (const size of sizes) {
    const messages = createMessages(size)
    for (const peer of peers) {
      for (const task of peer.tasks) {
        const before = times.findLast((time) => time.peer === peer.name && time.task === task.name)
        const foretoldMs = foretell(before, task.growth, size)
        const isTooSlow = foretoldMs !== null && foretoldMs > (isQuick ? LONGEST_QUICK_CALL_MS : LONGEST_CALL_MS)
        const timing = isTooSlow ? null : await measureTask(task, messages, { isQuick, expectedMs: foretoldMs ?? 0 })
        times.push({ peer: peer.name, task: task.name, size, timing, foretoldMs: isTooSlow ? foretoldMs : null })
      }
    }
  }
  return times
}

async function measureTask(
  task: PeerTask,
  messages: readonly Message[],
  { isQuick, expectedMs }: { isQuick: boolean; expectedMs: number },
): Promise<Timing> {
  const work = task.prepare(messages)
  return measureTime(work, {
    // A call of many seconds is warm by itself, and twice of it would be too long.
    warmUps: expectedMs > 2_000 ? 0 : 2,
    maxRuns: isQuick ? 7 : 15,
    maxTotalMs: isQuick ? 800 : 4_000,
  })
}

function foretell(before: PeerTime | undefined, growth: PeerTask['growth'], size: number): number | null {
  const knownMs = before?.timing?.p50Ms ?? before?.foretoldMs ?? null
  if (before === undefined || knownMs === null) return null
  return knownMs * (size / before.size) ** (growth === 'quadratic' ? 2 : 1)
}
