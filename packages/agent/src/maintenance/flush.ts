import {
  createFlushPrompt,
  createManifest,
  createView,
  extendRequest,
  isSilentReply,
  outputText,
  sealRequest,
} from '@longhaul/engine/advanced'
import type {
  FlushEntry,
  JsonObject,
  MeasureContext,
  Message,
  Part,
  SealedRequest,
  ToolCallPart,
  ToolResultPart,
  Usage,
  View,
} from '@longhaul/engine/advanced'
import { describeError } from '../agent-error.ts'
import type { SeenContext } from '../memory/find-origins.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { runWithin } from './run-within.ts'
import type { RunInput } from './run-within.ts'
import { textOfParts } from '../session/text-of-parts.ts'
import { billDiscarded } from './bill-discarded.ts'
import type { Budget } from './budget.ts'

export interface FlushInput {
  readonly signal: AbortSignal
  /** The turn on which work beside the conversation reports at the moment. */
  readonly openTurn: () => string | null
}

/** Saving takes one or two rounds; a model that goes on is not saving. */
const MAX_ROUNDS = 5
const MAX_OUTPUT_TOKENS = 2_048
/** Room for the flush's own words and what it writes; of a small window less, so that what is about to be lost is not cut away. */
const PROMPT_TOKENS = 4_000
const PROMPT_SHARE = 0.125

/**
 * A turn the user does not see, on a copy of the conversation: the model may save what must last, and nothing else. The
 * prefix is the one of the last request, so most of it is read from the provider's cache, unless the policy sets a system
 * prompt for the flush. An entry says what came of it; only a store that takes nothing makes it throw.
 */
export async function saveMemory(
  session: ActiveSession,
  budget: Budget,
  { signal, openTurn }: FlushInput,
): Promise<void> {
  const { events, agent } = session
  const copy = detach(session)
  if (!(await budget.hasMoney())) return skip(session)
  events.emit(openTurn(), { type: 'flush-started' })
  const timeout = AbortSignal.timeout(session.policy().compaction.memoryFlush.timeoutMs)
  const result = await saveMemories(session, copy, AbortSignal.any([signal, timeout])).catch(
    (error: unknown): FlushResult => {
      agent.log({ level: 'warn', event: 'flush-failed', message: `Saving memory failed: ${String(error)}` })
      return { outcome: 'failed', usage: null }
    },
  )
  try {
    await record(session, copy, result, signal)
  } finally {
    events.emit(openTurn(), { type: 'flush-completed', wrote: result.outcome === 'wrote' })
  }
}

/** The day's money for maintenance is spent: counted as done for this cycle, so that it is not asked for at every step. */
async function skip(session: ActiveSession): Promise<void> {
  session.agent.log({ level: 'info', event: 'flush-skipped', message: 'No money left for maintenance today.' })
  await session.log.append([{ type: 'flush', outcome: 'skipped' }])
}

/** One that was cancelled says nothing about whether memory can be saved: it is paid for, and tried again when it is due. */
async function record(
  session: ActiveSession,
  { cycle }: DetachedCopy,
  { outcome, usage }: FlushResult,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted && outcome !== 'wrote') return billDiscarded(session, usage)
  await session.log.append([{ type: 'flush', outcome, cycle, ...(usage === null ? {} : { usage }) }])
}

interface FlushResult {
  readonly outcome: FlushEntry['outcome']
  readonly usage: Usage | null
}

async function saveMemories(session: ActiveSession, copy: DetachedCopy, signal: AbortSignal): Promise<FlushResult> {
  const { agent } = session
  const { memoryFlush } = session.policy().compaction
  const { system, prompt } = createFlushPrompt({ policy: memoryFlush, date: agent.today() })
  // A changed system text costs the whole cached prefix: only words that somebody set are worth that.
  const isSet = memoryFlush.systemPrompt !== null
  const own = [said('user', [{ type: 'text', text: isSet ? prompt : `${system}\n\n${prompt}` }])]
  const asked = isSet ? { ...copy, moreSystem: system } : copy
  let usage: Usage | null = null
  let [hasWritten, hasFailed] = [false, false]
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const answer = await ask(session, asked, own, signal)
    usage = addUsage(usage, answer.usage)
    if (answer.parts === null) {
      hasFailed = true
      break
    }
    const calls = answer.parts.filter((part): part is ToolCallPart => part.type === 'tool-call')
    if (calls.length === 0) {
      reportLoudAnswer(session, answer.parts)
      break
    }
    const results: ToolResultPart[] = []
    for (const call of calls) {
      const { kind, output } = await save(session, call, { signal, seen: copy.seen })
      hasWritten ||= kind === 'saved'
      hasFailed ||= kind === 'failed'
      const { toolCallId, toolName } = call
      results.push({ type: 'tool-result', toolCallId, toolName, output, isError: kind !== 'saved' })
    }
    own.push(said('assistant', answer.parts), said('tool', results))
  }
  return { outcome: hasWritten ? 'wrote' : hasFailed ? 'failed' : 'silent', usage }
}

/** The conversation at one moment, as a request: what is said meanwhile is not in it. */
interface DetachedCopy {
  readonly view: View
  readonly seen: SeenContext
  readonly sealed: SealedRequest
  /** Added to the system text of the flush alone. */
  readonly moreSystem?: string
  readonly measure: MeasureContext
  readonly model: string
  readonly maxOutputTokens: number
  /** That of what it is to save, whenever it ends. */
  readonly cycle: number
}

/** A copy that fits, whatever state the conversation is in: before an overflow recovery it does not fit as it is. */
function detach(session: ActiveSession): DetachedCopy {
  const context = session.context()
  const { limits } = context
  const promptTokens = Math.min(PROMPT_TOKENS, Math.floor((limits?.windowTokens ?? Infinity) * PROMPT_SHARE))
  const room = limits === null ? null : Math.max(1, limits.inputTokens - promptTokens)
  const view = createView(context.state, context.policy)
  const measure = { ...context, estimator: context.policy.estimator }
  return {
    view,
    seen: context,
    measure,
    sealed: sealRequest({ view, context: measure, maxTokens: room, maxBytes: null }),
    model: session.model(),
    maxOutputTokens: Math.min(limits?.outputTokens ?? MAX_OUTPUT_TOKENS, MAX_OUTPUT_TOKENS),
    cycle: context.state.head.cycle,
  }
}

async function ask(
  session: ActiveSession,
  { view, sealed, moreSystem, measure, model, maxOutputTokens }: DetachedCopy,
  own: readonly Message[],
  signal: AbortSignal,
): Promise<{ readonly parts: readonly Part[] | null; readonly usage: Usage | null }> {
  const { agent, journal } = session
  const { models, log } = agent
  const request = extendRequest(sealed, own, measure, moreSystem)
  const explained = { number: 0, at: agent.now(), view, sealed: request, numbers: null }
  const number = await journal.note(createManifest({ ...explained, purpose: 'flush' }))
  const call = { request, maxOutputTokens, maxRetries: 0, cacheKey: session.id }
  for await (const event of models.stream(model, call, signal)) {
    if (event.type === 'finish') {
      journal.settle(number, event.finish, event.usage)
      return { parts: event.parts, usage: event.usage }
    }
    if (event.type === 'failure') {
      journal.settle(number, event.failure.kind, event.usage)
      log({ level: 'warn', event: 'flush-failed', message: `Saving memory failed: ${event.failure.message}` })
      return { parts: null, usage: event.usage }
    }
  }
  return { parts: null, usage: null }
}

interface SaveOutcome {
  /** Refused: it was nothing to save. Failed: it could not be written, and is worth another try. */
  readonly kind: 'saved' | 'refused' | 'failed'
  readonly output: string
}

/**
 * Whatever the conversation talked the model into, only memory is written here, and only added to. A note's origin is
 * looked for in the copy that the model saw: the conversation may have been reset since.
 */
async function save(session: ActiveSession, call: ToolCallPart, run: RunInput): Promise<SaveOutcome> {
  const tools = session.tools().filter(({ savesMemory }) => savesMemory === true)
  const named = tools.find(({ name }) => name === call.toolName)
  const note = named === undefined ? readFileNote(call.input, session.agent.today()) : null
  const tool = named ?? (note === null ? undefined : tools[0])
  if (tool === undefined) return { kind: 'refused', output: 'Only memory can be saved in this turn.' }
  const input = note === null ? call.input : { text: note }
  const permission = await tool.permit(input)
  // Nobody is there to be asked.
  if (permission.verdict !== 'allow') return { kind: 'refused', output: `Not allowed: ${permission.reason}` }
  try {
    const { output, isError } = await runWithin(session, tool, { ...call, input }, run)
    return { kind: isError === true ? 'refused' : 'saved', output: outputText(output) }
  } catch (error) {
    const output = describeError(error)
    session.agent.log({ level: 'warn', event: 'flush-failed', message: `A note was not saved: ${output}` })
    return { kind: 'failed', output }
  }
}

/** Told the name of a file, a model may reach for its file tool: what it would write there becomes a note. */
function readFileNote(input: JsonObject, date: string): string | null {
  const values = Object.values(input).filter((value): value is string => typeof value === 'string')
  const isDaily = values.some((value) => value.replaceAll('\\', '/').endsWith(`memory/${date}.md`))
  const texts = values.filter((value) => !value.endsWith('.md'))
  return isDaily && texts.length > 0 ? texts.reduce((a, b) => (b.length > a.length ? b : a)) : null
}

/** Not shown to the user, but somebody who wonders what the model said finds it in the log. */
function reportLoudAnswer(session: ActiveSession, parts: readonly Part[]): void {
  const { silentToken, target } = session.policy().compaction.memoryFlush
  const text = textOfParts(parts)
  if (isSilentReply(text, silentToken, target)) return
  session.agent.log({ level: 'info', event: 'flush-answer', message: text.slice(0, 500) })
}

function said(role: Message['role'], parts: readonly Part[]): Message {
  return { role, parts }
}

/** Bills of several calls as one. For money and totals; never for the size of a context. */
function addUsage(sum: Usage | null, more: Usage | null): Usage | null {
  if (sum === null || more === null) return sum ?? more
  const add = (key: keyof Usage): Partial<Usage> =>
    sum[key] === undefined && more[key] === undefined ? {} : { [key]: (sum[key] ?? 0) + (more[key] ?? 0) }
  return {
    input: sum.input + more.input,
    output: sum.output + more.output,
    ...add('cacheRead'),
    ...add('cacheWrite'),
    ...add('reasoning'),
    ...add('costUsd'),
  }
}
