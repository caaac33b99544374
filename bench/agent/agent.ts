import type { Bench } from '../bench.ts'
import { inFolder } from '../in-folder.ts'
import type { Goal } from '../report/goal.ts'
import { measureCompacting } from './measure-compacting.ts'
import type { CompactingLatency } from './measure-compacting.ts'
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
const SAMPLES = 2_000
const QUICK_SAMPLES = 1_000
const MAX_COMPACTING_RATIO = 1.5

/** The time that Longhaul adds between the user's message and the first byte to the provider. */
export const agentBench: Bench = {
  name: 'agent',
  about: 'time between a message and the first byte to the provider, against the same call made directly',
  async run({ isQuick, note }) {
    const results: Latency[] = []
    const beside = await inFolder(async (folder) => {
      for (const { messages } of LIMITS) {
        note(`${messages} messages`)
        results.push(await measureLatency(folder, messages, isQuick ? QUICK_RUNS : RUNS))
      }
      note('turns while a compaction is under way')
      return measureCompacting(folder, isQuick ? QUICK_SAMPLES : SAMPLES)
    })
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
        {
          title: 'From a message to the first byte to the provider, 99th percentile of milliseconds',
          columns: ['', 'samples', '99 of 100 are below'],
          rows: [
            ['without a compaction', beside.samples.toLocaleString('en'), beside.calmMs.toFixed(2)],
            ['while one is under way', beside.samples.toLocaleString('en'), beside.compactingMs.toFixed(2)],
          ],
        },
      ],
      goals: [...LIMITS.map((limit, index) => judge(limit, results[index])), judgeCompacting(beside)],
      numbers: { results, beside },
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

function judgeCompacting({ calmMs, compactingMs }: CompactingLatency): Goal {
  const ratio = compactingMs / calmMs
  return {
    name: `while a compaction is under way, the 99th percentile is at most ${MAX_COMPACTING_RATIO}× the one without`,
    isHeld: ratio <= MAX_COMPACTING_RATIO,
    measured: `${ratio.toFixed(2)}×`,
  }
}
