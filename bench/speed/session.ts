import { setImmediate } from 'node:timers/promises'
import { createContext } from '@longhaul/engine'
import type { CompactionStrategy, Context, ContextRequest, Entry, Message, MessageInput } from '@longhaul/engine'
import { compaction } from '@longhaul/engine/testing'
import { createEnvironment } from './environment.ts'
import { createScriptedDocument, createScriptedStrategy } from './scripted-strategy.ts'
import { createMessages, createTurn } from './transcript.ts'

export interface TurnSample {
  /** Adding the answer, with its bill, and the tools' results or the user's next message. */
  readonly addMs: number
  /** `nextRequest`. */
  readonly requestMs: number
  readonly windowMessages: number
}

export interface OpenOptions {
  readonly windowTokens: number
  readonly strategy?: CompactionStrategy
}

/**
 * Every compacted session ends in the same way, from a compaction that summarized all before it: sessions of any length
 * have the same window, so a difference in time is due to their length.
 */
const LAST_MESSAGES = 200
const FIRST_TURN_OF_END = 1_000_000
const NEXT_TURN = FIRST_TURN_OF_END + LAST_MESSAGES
const START_AT = 1_700_000_000_000
/** Time goes on each time somebody looks at the clock: by some ten seconds a turn. */
const MS_PER_LOOK = 2_000
/** Billed tokens per estimated one. */
const TRUE_RATIO = 1.05
const environment = createEnvironment()

export function createLog(size: number, { isCompacted }: { readonly isCompacted: boolean }): readonly Entry[] {
  const early = createMessages(isCompacted ? size - LAST_MESSAGES : size)
  const last = isCompacted ? createMessages(LAST_MESSAGES, FIRST_TURN_OF_END) : []
  const bodies: readonly object[] = [
    ...early.map((message) => ({ type: 'message', ...message })),
    ...(isCompacted ? [summarizeAll(early.length)] : []),
    ...last.map((message) => ({ type: 'message', ...message })),
  ]
  const entries = bodies.map((body, index) => ({ seq: index + 1, id: createId(index + 1), at: START_AT, ...body }))
  return entries as readonly object[] as readonly Entry[]
}

export function openLog(
  entries: readonly Entry[],
  { windowTokens, strategy = createScriptedStrategy() }: OpenOptions,
): Context {
  let now = START_AT
  return createContext({
    windowTokens,
    ...environment,
    model: 'scripted',
    strategies: [strategy],
    policy: { compaction: { strategy: strategy.name } },
    entries,
    now: () => (now += MS_PER_LOOK),
  })
}

/** Takes turns in a session that is opened for it: the log does not grow by being measured. */
export async function sampleTurns(
  log: readonly Entry[],
  windowTokens: number,
  count: number,
): Promise<readonly TurnSample[]> {
  const context = openLog(log, { windowTokens })
  const samples: TurnSample[] = []
  let request = await context.nextRequest()
  const around = request.tokens - sumTokens(request)
  // The first turn after opening measures what nobody has measured yet.
  for (let turn = 0; turn <= count; turn += 1) {
    const { answer, input } = createTurn(NEXT_TURN + turn)
    const usage = { input: Math.round((around + sumTokens(request)) * TRUE_RATIO), output: 200 }
    // A call to a model gives what runs beside the conversation its time.
    await setImmediate()
    const begin = performance.now()
    await context.add(toInput(answer), { usage })
    for (const message of input) await context.add(toInput(message))
    const added = performance.now()
    request = await context.nextRequest()
    const requestMs = performance.now() - added
    const windowMessages = request.manifest.items.length
    if (turn > 0) samples.push({ addMs: added - begin, requestMs, windowMessages })
  }
  return samples
}

function sumTokens({ manifest }: ContextRequest): number {
  return manifest.items.reduce((sum, { tokens }) => sum + tokens, 0)
}

function toInput({ role, parts }: Message): MessageInput {
  return { role, content: parts }
}

/** An id as long as a store makes them. */
function createId(seq: number): string {
  return `01j${String(seq).padStart(23, '0')}`
}

/** A base that leaves nothing but a summary. */
function summarizeAll(messages: number): object {
  return {
    ...compaction({ fromSeq: messages + 2 }),
    firstKept: null,
    document: createScriptedDocument(0, []),
  }
}
