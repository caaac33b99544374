import type { Bench } from '../bench.ts'
import { inFolder } from '../in-folder.ts'
import type { Goal } from '../report/goal.ts'
import { measureCommands } from './measure-commands.ts'
import type { CommandLatency } from './measure-commands.ts'
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
const COMMANDS = 200
const QUICK_COMMANDS = 60
const MAX_COMMAND_MS = 5

/** The time that Longhaul adds between the user's message and the first byte to the provider, and to a command. */
export const agentBench: Bench = {
  name: 'agent',
  about:
    'time between a message and the first byte to the provider, against the same call made directly; start of a command',
  async run({ isQuick, note }) {
    const results: Latency[] = []
    const [beside, commands] = await inFolder(async (folder) => {
      for (const messages of MAX_ADDED_MS.keys()) {
        note(`${messages} messages`)
        results.push(await measureLatency(folder, messages, isQuick ? QUICK_RUNS : RUNS))
      }
      note('turns while a compaction is under way')
      const compacting = await measureCompacting(folder, isQuick ? QUICK_SAMPLES : SAMPLES)
      note('commands')
      return [compacting, await measureCommands(folder, isQuick ? QUICK_COMMANDS : COMMANDS)] as const
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
        {
          title: 'From the order to run a command to its first act, and to its answer, median of milliseconds',
          columns: ['', 'bare /bin/sh starts', 'run_command starts', 'added', 'bare answer', 'run_command answer'],
          rows: commands.map((one) => [
            one.boundary,
            one.bareStartMs.toFixed(2),
            one.startMs.toFixed(2),
            (one.startMs - one.bareStartMs).toFixed(2),
            one.bareMs.toFixed(2),
            one.totalMs.toFixed(2),
          ]),
        },
      ],
      goals: [...results.map(judge), judgeCompacting(beside), ...commands.map(judgeCommand)],
      numbers: { results, beside, commands },
    }
  },
}

function judge({ messages, warmMs, directMs }: Latency): Goal {
  const maxMs = MAX_ADDED_MS.get(messages) ?? 0
  const added = warmMs - directMs
  const name = `at most ${maxMs} ms added at ${messages.toLocaleString('en')} messages`
  return { name, isHeld: added <= maxMs, measured: `${added.toFixed(2)} ms` }
}

function judgeCommand({ boundary, bareStartMs, startMs }: CommandLatency): Goal {
  const added = startMs - bareStartMs
  return {
    name: `at most ${MAX_COMMAND_MS} ms added to the start of a command (${boundary})`,
    isHeld: added <= MAX_COMMAND_MS,
    measured: `${added.toFixed(2)} ms`,
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
