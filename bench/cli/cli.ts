import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { median } from '../report/percentile.ts'

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/longhaul.js')
const RUNS = 40
const QUICK_RUNS = 10
const MAX_TIMES = 3

/** How long the program takes to start, against Node that does nothing. */
export const cliBench: Bench = {
  name: 'cli',
  about: 'start of `longhaul --version` against that of bare Node',
  async run({ isQuick }) {
    const cases = {
      'node -e ""': ['-e', ''],
      'longhaul --version': [PROGRAM, '--version'],
      'longhaul --help': [PROGRAM, '--help'],
    }
    const times = new Map<string, number[]>(Object.keys(cases).map((name) => [name, []]))
    // The first start of each compiles, and is not counted.
    for (let run = -1; run < (isQuick ? QUICK_RUNS : RUNS); run += 1) {
      for (const [name, words] of Object.entries(cases)) {
        const ms = measureStart(words)
        if (run >= 0) times.get(name)?.push(ms)
      }
    }
    const medians = [...times].map(([name, all]) => ({ name, ms: median(all) }))
    const [bare, version] = medians
    const ratio = (version?.ms ?? Number.NaN) / (bare?.ms ?? Number.NaN)
    return {
      tables: [
        {
          title: 'Median of milliseconds from start to end of the process',
          columns: ['process', 'ms', 'against bare Node'],
          rows: medians.map(({ name, ms }) => [name, ms.toFixed(0), `${(ms / (bare?.ms ?? ms)).toFixed(2)}×`]),
        },
      ],
      goals: [
        {
          name: `longhaul --version starts in at most ${MAX_TIMES} times the time of bare Node`,
          isHeld: ratio <= MAX_TIMES,
          measured: `${ratio.toFixed(2)} times`,
        },
      ],
      numbers: Object.fromEntries(medians.map(({ name, ms }) => [name, ms])),
    }
  },
}

function measureStart(words: readonly string[]): number {
  const begin = performance.now()
  const { status } = spawnSync(process.execPath, words)
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}`)
  return performance.now() - begin
}
