import type { CompactionStrategy, Entry } from '@longhaul/engine'
import { PRESETS, createView, foldEntries, foldEntry, truncateToolOutput } from '@longhaul/engine/advanced'
import type { PruneEntry, State } from '@longhaul/engine/advanced'
import { measureHeap } from './measure-heap.ts'
import { measureTime } from './measure-time.ts'
import type { Timing, TimingOptions } from './measure-time.ts'
import { createRandom } from './random.ts'
import { createLog, openLog } from './session.ts'
import { createText } from './text.ts'
import { WINDOW_TOKENS } from './turns.ts'

/** The costs of the engine's other steps, each on its own. */
export interface EngineCosts {
  readonly foldMs: number
  readonly foldedEntries: number
  readonly entryBytes: number
  readonly stateBytes: number
  readonly pruneFold: { readonly young: Timing; readonly old: Timing }
  /** `nextRequest` in a full window: the first after opening, and again. */
  readonly full: { readonly messages: number; readonly first: Timing; readonly again: Timing }
  readonly truncation: { readonly text: Timing; readonly json: Timing }
  /** `add` of a reply, with the check after it. */
  readonly check: { readonly passing: Timing; readonly due: Timing }
}

export interface EngineCostsInput {
  readonly isQuick: boolean
  readonly young: readonly Entry[]
  readonly old: readonly Entry[]
}

const FOLDED_ENTRIES = 100_000
/** The share of the window where a compaction is due, and a request still fits. */
const FULL_SHARE = 0.82
const MEGABYTE = 1_048_576
const policy = PRESETS.longhaul
/** A summary that stays under way: every check finds that it is due. */
const neverReady: CompactionStrategy = { name: 'never-ready', summarise: () => new Promise(() => undefined) }

export async function measureEngineCosts({ isQuick, young, old }: EngineCostsInput): Promise<EngineCosts> {
  const timing = { maxRuns: isQuick ? 11 : 31, maxTotalMs: isQuick ? 1_000 : 4_000 }
  const messages = countMessagesOfFullWindow()
  return {
    full: { messages, ...(await measureFull(messages, timing)) },
    check: {
      passing: await measureCheck(old, timing),
      due: await measureCheck(createLog(messages, { isCompacted: false }), timing),
    },
    pruneFold: {
      young: await measurePruneFold(foldEntries(young), timing),
      old: await measurePruneFold(foldEntries(old), timing),
    },
    truncation: await measureTruncation(timing),
    ...measureFold(),
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

function measurePruneFold(state: State, timing: TimingOptions): Promise<Timing> {
  const result = createView(state, policy).items.findLast((item) => item.kind === 'tool')?.entry
  if (result === undefined || result === null) throw new Error('the session holds no tool result')
  const prune: PruneEntry = {
    type: 'prune',
    seq: state.head.lastSeq + 1,
    id: 'prune',
    at: 0,
    reason: 'bench',
    decisions: [{ entry: { id: result.id, seq: result.seq }, part: 0, form: 'cleared', placeholder: '[cleared]' }],
  }
  return measureTime(() => foldEntry(state, prune), timing)
}

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

function measureFold(): Pick<EngineCosts, 'foldMs' | 'foldedEntries' | 'entryBytes' | 'stateBytes'> {
  const create = (count: number): readonly Entry[] => createLog(count, { isCompacted: false })
  foldEntries(create(5_000))
  const empty = measureHeap()
  const entries = create(FOLDED_ENTRIES)
  const withEntries = measureHeap()
  const begin = performance.now()
  const state = foldEntries(entries)
  const foldMs = performance.now() - begin
  const withState = measureHeap()
  if (state.head.lastSeq !== entries.length) throw new Error('the fold lost entries')
  return { foldMs, foldedEntries: entries.length, entryBytes: withEntries - empty, stateBytes: withState - withEntries }
}
