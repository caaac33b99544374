import { setTimeout as sleepFor } from 'node:timers/promises'
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { loadCountTokens } from './count-tokens.ts'
import { cutReply } from './replying/cut-reply.ts'
import { measurePrompt } from './replying/measure-prompt.ts'
import { createOverflowError } from './replying/overflow-error.ts'
import { planOfflineReply } from './plan-offline-reply.ts'
import { createPromptCache } from './replying/prompt-cache.ts'
import { readConversation } from './reading/read-conversation.ts'
import { renderPlan } from './replying/render-plan.ts'
import { MODEL_ID, streamReply } from './replying/stream-reply.ts'
import type { Sleep, Speech } from './replying/stream-reply.ts'

export interface OfflineModelOptions {
  /** A larger request is refused as a provider refuses it. Absent or null: any size will do. */
  readonly windowTokens?: number | null
  /** Absent or 0: without delay. */
  readonly charsPerSecond?: number
  readonly sleep?: Sleep
  /** Report what a request shares with earlier ones as read from a cache. */
  readonly hasPromptCache?: boolean
}

/**
 * A language model without weights and network. It answers with sentences of the context it is given, calls tools when
 * asked plainly, and summarises by choosing; the same request always gets the same reply.
 */
export function createOfflineModel(options: OfflineModelOptions = {}): LanguageModelV4 {
  const { windowTokens = null, charsPerSecond = 0, sleep = defaultSleep, hasPromptCache = false } = options
  const cache = hasPromptCache ? createPromptCache() : null

  async function prepare(call: LanguageModelV4CallOptions): Promise<Speech> {
    call.abortSignal?.throwIfAborted()
    const count = await loadCountTokens()
    const items = measurePrompt(call, count)
    const input = items.reduce((sum, { tokens }) => sum + tokens, 0)
    if (windowTokens !== null && input > windowTokens) throw createOverflowError(input, windowTokens)
    const cacheRead = cache?.read(items)
    const conversation = readConversation(call.prompt)
    const whole = renderPlan(planOfflineReply(conversation, call), conversation)
    const { reply, tokens, isCut } = cutReply(whole, call.maxOutputTokens ?? null, count)
    return {
      reply,
      id: `offline-${items.at(-1)?.prefixHash ?? 'empty'}`,
      finish: isCut ? 'length' : reply.calls.length > 0 ? 'tool-calls' : 'stop',
      usage: createUsage(input, tokens, cacheRead),
      warnings: findWarnings(call),
    }
  }

  function stream(speech: Speech, signal: AbortSignal | undefined): AsyncGenerator<LanguageModelV4StreamPart> {
    return streamReply(speech, { charsPerSecond: charsPerSecond > 0 ? charsPerSecond : null, sleep, signal })
  }

  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId: MODEL_ID,
    supportedUrls: {},
    async doStream(call) {
      return { stream: ReadableStream.from(stream(await prepare(call), call.abortSignal)) }
    },
    async doGenerate(call) {
      const speech = await prepare(call)
      const parts = await Array.fromAsync(stream(speech, call.abortSignal))
      const { reply, id, finish, usage, warnings } = speech
      const text: readonly LanguageModelV4Content[] = reply.text === '' ? [] : [{ type: 'text', text: reply.text }]
      return {
        content: [...text, ...parts.filter((part) => part.type === 'tool-call')],
        finishReason: { unified: finish, raw: finish },
        usage,
        response: { id, modelId: MODEL_ID },
        warnings: [...warnings],
      }
    },
  }
}

function defaultSleep(ms: number, signal?: AbortSignal): Promise<unknown> {
  return sleepFor(ms, undefined, { signal })
}

function createUsage(input: number, output: number, cacheRead: number | undefined): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input - (cacheRead ?? 0), cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  }
}

function findWarnings({ responseFormat, stopSequences }: LanguageModelV4CallOptions): readonly SharedV4Warning[] {
  return [
    ...(responseFormat?.type === 'json' ? [{ type: 'unsupported', feature: 'responseFormat' } as const] : []),
    ...(stopSequences !== undefined && stopSequences.length > 0
      ? [{ type: 'unsupported', feature: 'stopSequences' } as const]
      : []),
  ]
}
