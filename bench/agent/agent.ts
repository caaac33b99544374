import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import type { Goal } from '../report/goal.ts'
import { measureLatency } from './measure-latency.ts'
import type { Latency } from './measure-latency.ts'

interface Limit {
  readonly messages: number
  readonly maxMs: number
}

const LIMITS: readonly Limit[] = [
  { messages: 1_000, maxMs: 5 },
  { messages: 100_000, maxMs: 10 },
]
const RUNS = 60
const QUICK_RUNS = 15

/** What Longhaul adds between the user's message and the first byte to the provider. */
export const agentBench: Bench = {
  name: 'agent',
  about: 'time between a message and the first byte to the provider, against the same call made directly',
  async run({ isQuick, note }) {
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-bench-'))
    const runs = isQuick ? QUICK_RUNS : RUNS
    const results: Latency[] = []
    try {
      for (const { messages } of LIMITS) {
        note(`${messages} messages`)
        results.push(await measureLatency({ folder, messages, runs }))
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    return {
      tables: [
        {
          title: 'Median of milliseconds, SQLite, acknowledged writes synced',
          columns: ['messages', 'direct call', 'through Longhaul', 'added', 'added when the session is opened first'],
          rows: results.map(({ messages, directMs, warmMs, coldMs }) => [
            messages.toLocaleString('en'),
            directMs.toFixed(2),
            warmMs.toFixed(2),
            (warmMs - directMs).toFixed(2),
            (coldMs - directMs).toFixed(2),
          ]),
        },
      ],
      goals: LIMITS.map((limit, index) => judge(limit, results[index])),
      numbers: results,
    }
  },
}

function judge({ messages, maxMs }: Limit, latency: Latency | undefined): Goal {
  const added = latency === undefined ? null : latency.warmMs - latency.directMs
  return {
    name: `at most ${maxMs} ms added at ${messages.toLocaleString('en')} messages`,
    isHeld: added === null ? null : added <= maxMs,
    measured: added === null ? 'not measured' : `${added.toFixed(2)} ms`,
  }
}
