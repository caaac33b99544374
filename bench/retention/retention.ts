import { estimateMessage } from '@longhaul/engine/advanced'
import type { Bench } from '../bench.ts'
import { loadDataSets } from '../data-sets.ts'
import { OURS, SUMMARISERS, createConfigurations } from './configurations.ts'
import { joinConversations, readConversation } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import { MAX_COMPACTIONS } from './measure.ts'
import { measureIndependently } from './independent/independent.ts'
import { measureConfiguration } from './results.ts'
import type { Result } from './results.ts'
import { createRetentionReport } from './retention-report.ts'

const FILES = [
  'pi/before-compaction.jsonl',
  'claude-code/258c7280.jsonl',
  'claude-code/4d5611e5.jsonl',
  'claude-code/subagent.jsonl',
  'claude-code/tool_heavy.jsonl',
  'tau-bench/airline-50.jsonl',
  'memorybank/en.jsonl',
  'memorybank/zh.jsonl',
]
const WINDOWS = [32_000, 64_000, 128_000]
/** No policy shortens a conversation that fills less of the window than this. */
const FILLED_SHARE = 0.5
const DIALOGUE_WINDOW = 32_000
/** Joined to long ones, they show how the rules do where they were not made. */
const JOINED = ['tau-bench/airline-50.jsonl', 'memorybank/en.jsonl', 'memorybank/zh.jsonl']
const MIN_DIALOGUE_MESSAGES = 8

const NEVER: ReadonlySet<number> = new Set()

export const retentionBench: Bench = {
  name: 'retention',
  about: 'what is still in the context after compactions, beside the seed presets',
  async run(options) {
    const independent = await measureIndependently(options)
    const { isQuick, note, kinds, windows: wanted } = options
    if (kinds !== undefined || wanted !== undefined) return independent
    const sessions = loadDataSets(FILES, note)
    const conversations = sessions.map(readConversation)
    if (conversations.length === 0) return independent
    const windows = isQuick ? WINDOWS.slice(0, 1) : WINDOWS
    const summarisers = isQuick ? SUMMARISERS.slice(0, 1) : SUMMARISERS
    const long: Result[] = []
    const paced: Result[] = []
    for (const configuration of createConfigurations(windows, summarisers)) {
      const { preset, windowTokens, summariser } = configuration
      const filling = conversations.filter(({ tokens }) => tokens > windowTokens * FILLED_SHARE)
      if (preset === OURS) note(`${windowTokens} tokens, ${summariser.name}: ${filling.length} conversations`)
      long.push(await measureConfiguration(configuration, filling, () => NEVER))
      paced.push(await measureConfiguration(configuration, filling, findMoments))
    }
    const dialogues = conversations.filter(
      ({ tokens, messages }) => tokens <= DIALOGUE_WINDOW * FILLED_SHARE && messages.length >= MIN_DIALOGUE_MESSAGES,
    )
    note(`${dialogues.length} short dialogues`)
    const short: Result[] = []
    for (const configuration of createConfigurations([DIALOGUE_WINDOW], summarisers)) {
      short.push(await measureConfiguration(configuration, dialogues, findMiddle))
    }
    const joined: Result[] = []
    for (const file of JOINED) {
      const conversation = joinConversations(
        file,
        sessions.filter((session) => session.file === file),
      )
      if (conversation === null) continue
      note(`${file} joined: ${conversation.messages.length} messages`)
      for (const configuration of createConfigurations([DIALOGUE_WINDOW], SUMMARISERS.slice(0, 1))) {
        const result = await measureConfiguration(configuration, [conversation], findMoments)
        joined.push({ ...result, preset: `${file}, ${configuration.preset}` })
      }
    }
    const own = createRetentionReport({ long, paced, short, joined })
    return {
      tables: [...independent.tables, ...own.tables],
      goals: [...independent.goals, ...own.goals],
      numbers: { independent: independent.numbers, ...(own.numbers as object) },
    }
  },
}

/** Ten moments, evenly spaced by tokens, at each of which somebody compacts: the same for every preset and window. */
function findMoments({ messages, tokens }: Conversation): ReadonlySet<number> {
  const moments = new Set<number>()
  let before = 0
  messages.forEach((message, index) => {
    const due = ((moments.size + 1) * tokens) / (MAX_COMPACTIONS + 1)
    if (message.role !== 'tool' && before >= due && moments.size < MAX_COMPACTIONS) moments.add(index)
    before += estimateMessage(message, 'classes')
  })
  return moments
}

/** Before the first message of the user in the second half. */
function findMiddle({ messages }: Conversation): ReadonlySet<number> {
  const index = messages.findIndex(({ role }, at) => role === 'user' && at >= messages.length / 2)
  return new Set(index === -1 ? [] : [index])
}
