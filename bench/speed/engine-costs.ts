import {
  createView,
  foldEntries,
  foldEntry,
  measureView,
  planNext,
  sealRequest,
  truncateToolOutput,
} from '@longhaul/engine/advanced'
import type { MessageEntry, PruneEntry, State } from '@longhaul/engine/advanced'
import { measureHeap } from './measure-heap.ts'
import { measureTime } from './measure-time.ts'
import type { Timing, TimingOptions } from './measure-time.ts'
import { createRandom } from './random.ts'
import { appendEntry, contextOf, createId, measureContext, policy } from './place.ts'
import type { Place } from './place.ts'
import { WINDOW_TOKENS, createSession } from './session.ts'
import type { BenchSession } from './session.ts'
import { createText } from './text.ts'
import { createMessages } from './transcript.ts'

/** What the engine's other steps cost, each on its own. */
export interface EngineCosts {
  readonly foldMs: number
  readonly foldedEntries: number
  readonly entryBytes: number
  readonly stateBytes: number
  readonly pruneFold: { readonly young: Timing; readonly old: Timing }
  readonly sealCold: Timing
  readonly sealWarm: Timing
  readonly sealMessages: number
  readonly truncation: { readonly text: Timing; readonly json: Timing }
  readonly check: { readonly passing: Timing; readonly due: Timing; readonly unbounded: Timing }
}

export interface EngineCostsInput {
  readonly isQuick: boolean
  readonly young: BenchSession
  readonly old: BenchSession
  /** Never compacted: everything it holds is in its context. */
  readonly unbounded: BenchSession
}

const FOLDED_ENTRIES = 100_000
const FULL_SHARE = 0.95
const MEGABYTE = 1_048_576

export async function measureEngineCosts({ isQuick, young, old, unbounded }: EngineCostsInput): Promise<EngineCosts> {
  const timing = { maxRuns: isQuick ? 11 : 31, maxTotalMs: isQuick ? 1_000 : 4_000 }
  const sealMessages = countMessagesOfFullWindow()
  const full = await createFullSession(sealMessages)
  return {
    sealMessages,
    sealCold: await measureColdSeal(sealMessages, isQuick ? 4 : 10),
    sealWarm: await measureTime(() => seal(full), timing),
    check: {
      passing: await measureCheck(old.place(), timing),
      due: await measureCheck(appendEntry(full.place(), { type: 'flush', outcome: 'silent' }), timing),
      unbounded: await measureCheck(unbounded.place(), { ...timing, warmUps: 1 }),
    },
    pruneFold: {
      young: await measurePruneFold(young.place().state, timing),
      old: await measurePruneFold(old.place().state, timing),
    },
    truncation: await measureTruncation(timing),
    ...measureFold(),
  }
}

/** A context as full as it can get, in a session that was never compacted. */
async function createFullSession(messages: number): Promise<BenchSession> {
  const session = createSession({ windowTokens: WINDOW_TOKENS, isMaintained: false })
  await session.growTo(messages)
  return session
}

function countMessagesOfFullWindow(): number {
  const entries = createEntries(5_000)
  const { items } = createView(foldEntries(entries), policy)
  let tokens = 0
  return items.findIndex((item) => {
    tokens += item.tokens
    return tokens > WINDOW_TOKENS * FULL_SHARE
  })
}

function seal(session: BenchSession): unknown {
  const view = createView(session.place().state, policy)
  return sealRequest({ view, context: measureContext, maxTokens: WINDOW_TOKENS, maxBytes: null })
}

/** As after opening a session: nothing in the window was ever measured. */
async function measureColdSeal(messages: number, runs: number): Promise<Timing> {
  const fresh: BenchSession[] = []
  while (fresh.length <= runs) fresh.push(await createFullSession(messages))
  return measureTime(() => seal(fresh.pop() as BenchSession), { warmUps: 1, maxRuns: runs, maxTotalMs: 10_000 })
}

/** The count and the plan after a reply that nobody has measured yet. */
function measureCheck(place: Place, timing: TimingOptions): Promise<Timing> {
  const { now } = place
  const context = contextOf(place)
  const replies = createReplies(context.state, timing.maxRuns + 10)
  let { state } = context
  return measureTime(() => {
    state = foldEntry(state, replies.pop())
    const reading = measureView(createView(state, policy), measureContext)
    return { reading, plan: planNext({ ...context, state, checkPoint: 'after-response', now }) }
  }, timing)
}

function createReplies(state: State, count: number): MessageEntry[] {
  const { lastSeq } = state.head
  return Array.from({ length: count }, (_, index): MessageEntry => {
    const seq = lastSeq + count - index
    const text = createText(createRandom(seq), 'prose', 800)
    return {
      type: 'message',
      seq,
      id: createId(seq),
      at: seq,
      role: 'assistant',
      parts: [{ type: 'text', text }],
      finish: 'stop',
    }
  })
}

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
  foldEntries(createEntries(5_000))
  const empty = measureHeap()
  const entries = createEntries(FOLDED_ENTRIES)
  const withEntries = measureHeap()
  const begin = performance.now()
  const state = foldEntries(entries)
  const foldMs = performance.now() - begin
  const withState = measureHeap()
  if (state.head.lastSeq !== entries.length) throw new Error('the fold lost entries')
  return { foldMs, foldedEntries: entries.length, entryBytes: withEntries - empty, stateBytes: withState - withEntries }
}

function createEntries(count: number): readonly MessageEntry[] {
  return createMessages(count).map((message, index) => ({
    type: 'message',
    seq: index + 1,
    id: createId(index + 1),
    at: 1_700_000_000_000 + index * 10_000,
    ...message,
  }))
}
