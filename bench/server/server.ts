import type { Bench } from '../bench.ts'
import type { Goal } from '../report/goal.ts'
import { inFolder } from '../in-folder.ts'
import { median, percentile } from '../report/percentile.ts'
import { measureLoad } from './measure-load.ts'
import type { Load } from './measure-load.ts'

const SESSIONS = 200
const MEASURE_MS = 60_000
const QUICK_MEASURE_MS = 10_000
const MAX_MEDIAN_MS = 10
const MAX_P99_MS = 100
/** More than this from the first third of the minute to the last is growth. */
const MAX_GROWTH = 1.25
const MEGABYTE = 1_048_576

/** The server under load, with a provider and clients on the same machine. */
export const serverBench: Bench = {
  name: 'server',
  about: `${SESSIONS} sessions that stream at once over HTTP, against the same call made directly`,
  async run({ isQuick, note }) {
    const measureMs = isQuick ? QUICK_MEASURE_MS : MEASURE_MS
    note(`${SESSIONS} sessions for ${measureMs / 1_000} s, and as long as it takes to begin and to end`)
    const load = await inFolder((folder) => measureLoad(folder, SESSIONS, measureMs))
    const numbers = summarise(load)
    const { direct, through, added } = numbers
    const row = (name: string, times: Times) => [
      name,
      times.count.toLocaleString('en'),
      times.median.toFixed(1),
      times.p99.toFixed(1),
    ]
    return {
      tables: [
        {
          title: `Milliseconds to the first word while ${SESSIONS} sessions stream, SQLite`,
          columns: ['way', 'calls', 'median', '99th percentile'],
          rows: [row('direct call', direct), row('through Longhaul', through), row('added', added)],
        },
        {
          title: "The server's process",
          columns: ['turns', 'wrong', 'of one core', 'memory, first third', 'memory, last third', 'memory, most'],
          rows: [
            [
              load.turns.toLocaleString('en'),
              String(load.problems.length),
              `${Math.round(numbers.cpuShare * 100)} %`,
              ...[numbers.memory.early, numbers.memory.late, numbers.memory.most].map(
                (bytes) => `${Math.round(bytes / MEGABYTE)} MB`,
              ),
            ],
          ],
        },
      ],
      goals: judge(load, numbers),
      numbers: { ...numbers, turns: load.turns, problems: load.problems.slice(0, 10) },
    }
  },
}

interface Times {
  readonly median: number
  readonly p99: number
  readonly count: number
}

function summarise({ directMs, throughMs, measured }: Load) {
  const direct = timesOf(directMs)
  const bytes = measured.map(({ memoryBytes }) => memoryBytes)
  const third = Math.max(1, Math.floor(bytes.length / 3))
  const [first, last] = [measured[0], measured.at(-1)]
  return {
    direct,
    // Of one core.
    cpuShare:
      first === undefined || last === undefined ? Number.NaN : (last.cpuMs - first.cpuMs) / (last.at - first.at),
    through: timesOf(throughMs),
    // Over the median of the direct calls.
    added: timesOf(throughMs.map((ms) => ms - direct.median)),
    memory: {
      early: median(bytes.slice(0, third)),
      late: median(bytes.slice(-third)),
      most: Math.max(...bytes),
    },
  }
}

function judge({ problems }: Load, { added, memory }: ReturnType<typeof summarise>): readonly Goal[] {
  const growth = memory.late / memory.early
  return [
    {
      name: `${SESSIONS} sessions stream at once without an error and in the right order`,
      isHeld: problems.length === 0,
      measured: problems.length === 0 ? 'none wrong' : `${problems.length} wrong, such as: ${problems[0]}`,
    },
    {
      name: `at most ${MAX_MEDIAN_MS} ms added to the first word, in the median`,
      isHeld: added.median <= MAX_MEDIAN_MS,
      measured: `${added.median.toFixed(1)} ms`,
    },
    {
      name: `at most ${MAX_P99_MS} ms in the 99th percentile`,
      isHeld: added.p99 <= MAX_P99_MS,
      measured: `${added.p99.toFixed(1)} ms`,
    },
    {
      name: 'memory does not grow with the turns',
      isHeld: growth <= MAX_GROWTH,
      measured: `${growth.toFixed(2)} times from the first third to the last`,
    },
  ]
}

function timesOf(values: readonly number[]): Times {
  return { median: median(values), p99: percentile(values, 0.99), count: values.length }
}
