import type { Bench } from '../bench.ts'
import { inFolder } from '../in-folder.ts'
import type { Goal } from '../report/goal.ts'
import { measureCompacting } from './measure-compacting.ts'
import type { CompactingLatency } from './measure-compacting.ts'
import { measureLatency } from './measure-latency.ts'
import type { Latency } from './measure-latency.ts'

/** The most that may be added, in milliseconds, by the number of messages. */
const MAX_ADDED_MS = new Map([
  [1_000, 5],
  [100_000, 10],
])
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
      for (const messages of MAX_ADDED_MS.keys()) {
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
      goals: [...results.map(judge), judgeCompacting(beside)],
      numbers: { results, beside },
    }
  },
}

function judge({ messages, warmMs, directMs }: Latency): Goal {
  const maxMs = MAX_ADDED_MS.get(messages) ?? 0
  const added = warmMs - directMs
  const name = `at most ${maxMs} ms added at ${messages.toLocaleString('en')} messages`
  return { name, isHeld: added <= maxMs, measured: `${added.toFixed(2)} ms` }
}

function judgeCompacting({ calmMs, compactingMs }: CompactingLatency): Goal {
  const ratio = compactingMs / calmMs
  return {
    name: `while a compaction is under way, the 99th percentile is at most ${MAX_COMPACTING_RATIO}× the one without`,
    isHeld: ratio <= MAX_COMPACTING_RATIO,
    measured: `${ratio.toFixed(2)}×`,
  }
}
