import type { CompactionStrategy, Entry } from '@longhaul/engine'
import { PRESETS, createView, foldEntries, truncateToolOutput } from '@longhaul/engine/advanced'
import { measureTime } from './measure-time.ts'
import type { Timing, TimingOptions } from './measure-time.ts'
import { createRandom } from './random.ts'
import { createLog, openLog } from './session.ts'
import { createText } from './text.ts'
import { WINDOW_TOKENS } from './turns.ts'

/** The costs of the engine's other steps, each on its own. */
export interface EngineCosts {
  /** `nextRequest` in a full window: the first after opening, and again. */
  readonly full: { readonly messages: number; readonly first: Timing; readonly again: Timing }
  readonly truncation: { readonly text: Timing; readonly json: Timing }
  /** `add` of a reply, with the check after it. */
  readonly check: { readonly passing: Timing; readonly due: Timing }
}

/** The share of the window where a compaction is due, and a request still fits. */
const FULL_SHARE = 0.82
const MEGABYTE = 1_048_576
const policy = PRESETS.longhaul
/** A summary that stays under way: every check finds that it is due. */
const neverReady: CompactionStrategy = { name: 'never-ready', summarize: () => new Promise(() => undefined) }

/** `old`: a long session that was compacted. */
export async function measureEngineCosts(old: readonly Entry[], isQuick: boolean): Promise<EngineCosts> {
  const timing = { maxRuns: isQuick ? 11 : 31, maxTotalMs: isQuick ? 1_000 : 4_000 }
  const messages = countMessagesOfFullWindow()
  return {
    full: { messages, ...(await measureFull(messages, timing)) },
    check: {
      passing: await measureCheck(old, timing),
      due: await measureCheck(createLog(messages, { isCompacted: false }), timing),
    },
    truncation: await measureTruncation(timing),
  }
}

function countMessagesOfFullWindow(): number {
  const { items } = createView(foldEntries(createLog(5_000, { isCompacted: false })), policy)
  let tokens = 0
  return items.findIndex((item) => {
    tokens += item.tokens
    return tokens > WINDOW_TOKENS * FULL_SHARE
  })
}

async function measureFull(messages: number, timing: TimingOptions): Promise<Record<'first' | 'again', Timing>> {
  const open = () => openLog(createLog(messages, { isCompacted: false }), OPENING)
  const fresh = Array.from({ length: timing.maxRuns + 2 }, open)
  const again = open()
  return {
    first: await measureTime(() => fresh.pop()?.nextRequest(), { ...timing, maxTotalMs: 10_000 }),
    again: await measureTime(() => again.nextRequest(), timing),
  }
}

function measureCheck(log: readonly Entry[], timing: TimingOptions): Promise<Timing> {
  const context = openLog(log, OPENING)
  let seed = 0
  const replies = Array.from({ length: timing.maxRuns + 10 }, () => createText(createRandom((seed += 1)), 'prose', 800))
  return measureTime(() => context.add({ role: 'assistant', content: replies.pop() ?? '' }), timing)
}

const OPENING = { windowTokens: WINDOW_TOKENS, strategy: neverReady }

async function measureTruncation(timing: TimingOptions): Promise<EngineCosts['truncation']> {
  const text = createText(createRandom(1), 'log', MEGABYTE)
  const rows = text.split('\n').map((line, index) => ({ index, line }))
  const json = { rows: rows.slice(0, rows.length * (text.length / JSON.stringify({ rows }).length)) }
  return {
    text: await measureTime(() => truncate(text), timing),
    json: await measureTime(() => truncate(json), timing),
  }
}

/** The result is read once, because a text that was only marked for cutting costs later. */
function truncate(value: unknown): unknown {
  const { output } = truncateToolOutput(value, { ...policy.toolResults, artifactId: 'a1' })
  return typeof output === 'string' ? Buffer.byteLength(output) : output
}
