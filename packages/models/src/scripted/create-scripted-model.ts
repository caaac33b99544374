import { setTimeout as sleepUntil } from 'node:timers/promises'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { estimateField } from '@longhaul/engine/advanced'
import { ModelsError } from '../models-error.ts'
import { collectResult } from './collect-result.ts'
import { NO_USAGE, countRequest, countSharedTokens, sumTokens, toUsage } from './count-request.ts'
import type { CountedRequest } from './count-request.ts'
import { createOverflowError } from './scripted-errors.ts'
import type { OverflowVendor } from './scripted-errors.ts'
import { piecesOf } from './scripted-reply.ts'
import type { Script, ScriptedAnswer, ScriptedReply } from './scripted-reply.ts'
import { speak } from './speak.ts'

export interface ScriptedModelOptions {
  readonly provider?: string
  readonly modelId?: string
  /** A prompt above it is refused, as a real endpoint refuses it. */
  readonly windowTokens?: number
  /** In whose words. Default: Anthropic's. */
  readonly overflowVendor?: OverflowVendor
  /** Of a text. Default: the engine's estimate. */
  readonly countTokens?: (text: string) => number
  /** Reports what the request shares with the one before as read from a cache, and the rest as written to it. */
  readonly simulatesCache?: boolean
  /** Default: real time. Rejects when the signal says so. */
  readonly sleep?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

export interface ScriptedModel extends LanguageModelV4 {
  /** Every request it got, in order. */
  readonly calls: readonly LanguageModelV4CallOptions[]
}

/** A language model that says what a script says: a real one to everything that uses it, for tests and demos. */
export function createScriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const { provider = 'scripted', modelId = 'scripted', sleep = sleepFor } = options
  const calls: LanguageModelV4CallOptions[] = []
  const count = createCounter(options)

  const doStream = async (request: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> => {
    const { abortSignal } = request
    const turn = calls.push(request) - 1
    abortSignal?.throwIfAborted()
    const counted = count(request)
    const reply = await nextReply(script, request, turn)
    if (isPieces(reply)) return { stream: ReadableStream.from(reply) }
    if (typeof reply === 'object' && 'fails' in reply) throw reply.fails
    if (typeof reply === 'object' && 'hangs' in reply) return hang(abortSignal)
    const answer: ScriptedAnswer = typeof reply === 'string' ? { text: reply } : reply
    const speech = speak({
      answer,
      usage: createUsage(answer, counted, options),
      turn,
      sleep: (ms) => sleep(ms, abortSignal),
      hang: () => hang(abortSignal),
    })
    return { stream: ReadableStream.from(speech) }
  }

  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    calls,
    doStream,
    doGenerate: async (request) => collectResult((await doStream(request)).stream),
  }
}

interface Counts {
  readonly input: number
  readonly shared: number
}

function createCounter({
  windowTokens = Infinity,
  overflowVendor = 'anthropic',
  countTokens = estimate,
}: ScriptedModelOptions): (request: LanguageModelV4CallOptions) => Counts {
  let before: CountedRequest = []
  return (request) => {
    const counted = countRequest(request, countTokens)
    const input = sumTokens(counted)
    if (input > windowTokens) throw createOverflowError(overflowVendor, { inputTokens: input, windowTokens })
    const shared = countSharedTokens(counted, before)
    before = counted
    return { input, shared }
  }
}

function createUsage(
  { usage, text, reasoning, toolCalls = [] }: ScriptedAnswer,
  { input, shared }: Counts,
  { countTokens = estimate, simulatesCache = false }: ScriptedModelOptions,
): LanguageModelV4Usage {
  if (usage === null) return NO_USAGE
  const thoughts = countTokens(piecesOf(reasoning).join(''))
  const said = countTokens(piecesOf(text).join(''))
  const called = toolCalls.reduce((sum, call) => sum + countTokens(JSON.stringify(call)), 0)
  return toUsage({
    input,
    output: thoughts + said + called,
    ...(simulatesCache ? { cacheRead: shared, cacheWrite: input - shared } : {}),
    ...(reasoning === undefined ? {} : { reasoning: thoughts }),
    ...usage,
  })
}

async function nextReply(script: Script, request: LanguageModelV4CallOptions, turn: number): Promise<ScriptedReply> {
  if (typeof script === 'function') return script(request, turn)
  const reply = script[turn]
  if (reply !== undefined) return reply
  const message = `The script has ${script.length} replies and was asked for one more; add a reply, or ask less often.`
  throw new ModelsError('invalid-configuration', message)
}

function isPieces(reply: ScriptedReply): reply is readonly LanguageModelV4StreamPart[] {
  return Array.isArray(reply)
}

function estimate(text: string): number {
  return estimateField(text, 'classes')
}

function hang(signal: AbortSignal | undefined): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  if (signal?.aborted === true) reject(signal.reason)
  else signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}

async function sleepFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleepUntil(ms, undefined, signal === undefined ? {} : { signal })
}
