import { NAMED_POLICIES, asRecorded, checkFrontier, createTables, replay, summarisePolicies } from '@longhaul/replay'
import type { SummarySource } from '@longhaul/replay'
import type { Bench } from '../bench.ts'
import { loadDataSets } from '../data-sets.ts'
import type { Goal } from '../report/goal.ts'
import type { Table } from '@longhaul/replay'
import { choosing } from '../retention/summarisers.ts'
import { checkCache } from './check-cache.ts'
import { checkMemory } from './check-memory.ts'
import { checkSpeed } from './check-speed.ts'

/** Long, with many tool calls and with bills. */
const FILES = ['pi/before-compaction.jsonl', 'claude-code/258c7280.jsonl', 'claude-code/4d5611e5.jsonl']
const WINDOWS = [200_000, 128_000, 64_000]
const OURS = 'longhaul'
/** How long a conversation memory is measured with; 0: not at all, it takes long. */
const MEMORY_MESSAGES = Number(process.env['LONGHAUL_REPLAY_MESSAGES'] ?? 0)

const SOURCES: readonly SummarySource[] = [
  { kind: 'extractive' },
  { kind: 'model', name: `${choosing.name} (a stand-in that retells first and last sentences)`, ask: choosing.ask },
]

export const policiesBench: Bench = {
  name: 'policies',
  about: 'the presets beside peers’ policies on the same transcripts: cost and what is kept',
  async run({ isQuick, note }) {
    const transcripts = loadDataSets(FILES, note).map((transcript) => ({
      ...transcript,
      session: { ...transcript.session, title: transcript.file },
    }))
    if (transcripts.length === 0) return { tables: [], goals: [], numbers: null }
    const policies = [...NAMED_POLICIES.values()].filter((policy) => policy !== asRecorded)
    const tables: Table[] = []
    const goals: Goal[] = [...(await checkCache(transcripts)), await checkSpeed(transcripts)]
    if (MEMORY_MESSAGES > 0) goals.push(await checkMemory(MEMORY_MESSAGES))
    const numbers: unknown[] = []
    for (const windowTokens of isQuick ? WINDOWS.slice(0, 1) : WINDOWS) {
      for (const summaries of SOURCES) {
        const report = await replay(transcripts, windowTokens === WINDOWS[0] ? [...policies, asRecorded] : policies, {
          windowTokens,
          summaries,
        })
        note(`${windowTokens} tokens, ${summaries.kind}: ${report.runs.length} runs`)
        const [cost, kept, byKind, , sources] = createTables(report)
        const name = `${windowTokens / 1_000}k, ${summaries.kind}`
        const isFirst = tables.length === 0
        for (const table of [cost, kept, byKind, ...(isFirst ? [sources] : [])]) {
          if (table !== undefined) tables.push({ ...table, title: `${table.title} (${name})` })
        }
        const summed = summarisePolicies(report.runs)
        const goal = checkFrontier(OURS, summed)
        goals.push({ ...goal, name: `${name}: ${goal.name}` })
        numbers.push({ windowTokens, summaries: report.summaries, policies: summed })
      }
    }
    return { tables, goals, numbers }
  },
}
