import { join } from 'node:path'
import { PRESETS, parsePolicy } from '@longhaul/engine'
import { percentile } from '../report/percentile.ts'
import { openBenchAgent } from './bench-agent.ts'

/** The 99th percentile from a message to the first byte to the provider. */
export interface CompactingLatency {
  readonly samples: number
  readonly calmMs: number
  /** While a compaction of the session is under way. */
  readonly compactingMs: number
}

const MESSAGES = 1_000
const TURNS_PER_SESSION = 100
/** Below the size of the sessions: a compaction is due from the first turn on, and the window is far away. */
const TRIGGER_TOKENS = 2_000

/** Two sessions of the same length take turns; the summary of the one never comes. After some turns they are replaced by fresh ones. */
export async function measureCompacting(folder: string, samples: number): Promise<CompactingLatency> {
  const duePolicy = parsePolicy(PRESETS.longhaul, {
    compaction: { triggerTokens: TRIGGER_TOKENS, prepareRatio: 'off', backgroundTimeoutMs: '1h' },
  })
  const bench = await openBenchAgent(join(folder, 'compacting.db'), ({ sessionId }) =>
    sessionId.startsWith('due') ? duePolicy : PRESETS.longhaul,
  )
  const [calm, compacting]: [number[], number[]] = [[], []]
  for (let pair = 1; compacting.length < samples; pair += 1) {
    for (const id of [`calm-${pair}`, `due-${pair}`]) {
      await bench.create(id, MESSAGES)
      // The first turn opens the session and begins the compaction.
      await bench.say(id, 'response-complete')
    }
    for (let turn = 0; turn < Math.min(TURNS_PER_SESSION, samples); turn += 1) {
      calm.push(await bench.say(`calm-${pair}`, 'response-complete'))
      compacting.push(await bench.say(`due-${pair}`, 'response-complete'))
    }
    if (bench.summaries() !== pair) throw new Error(`${bench.summaries()} summaries are under way instead of ${pair}`)
  }
  await bench.close()
  return { samples: compacting.length, calmMs: percentile(calm, 0.99), compactingMs: percentile(compacting, 0.99) }
}
