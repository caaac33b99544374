import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isRecord } from '@longhaul/engine/advanced'
import { anthropicWire } from '../../testing/wire/anthropic-wire.ts'
import { googleWire } from '../../testing/wire/google-wire.ts'
import { openaiChatWire } from '../../testing/wire/openai-chat-wire.ts'
import { openaiResponsesWire } from '../../testing/wire/openai-responses-wire.ts'
import type { WireAnswer } from '../../testing/wire/wire-reply.ts'
import type { Wire } from '../../testing/wire/wire.ts'
import { ANTHROPIC, GOOGLE, OPENAI_CHAT, OPENAI_RESPONSES, compatibleDialect } from '../prompt/dialect.ts'
import type { Dialect } from '../prompt/dialect.ts'

/** One request as a provider's package sent it. */
export interface CapturedRequest {
  readonly url: string
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A provider's real package whose requests end here. */
export interface CapturedProvider {
  readonly name: string
  readonly wire: Wire
  readonly dialect: Dialect
  readonly model: LanguageModelV4
  readonly requests: readonly CapturedRequest[]
  /** Where the messages lie in a body. */
  readonly messagesKey: 'messages' | 'input' | 'contents'
  readonly prepare: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions
  /** What is answered next. */
  answer(answer: WireAnswer): void
}

type Fetch = typeof globalThis.fetch

export const PROVIDERS: readonly (() => CapturedProvider)[] = [
  () =>
    capture('Anthropic', anthropicWire, ANTHROPIC, 'messages', (fetch) =>
      createAnthropic({ apiKey: 'key', fetch })('claude-sonnet-4-5'),
    ),
  () =>
    capture('OpenAI Responses', openaiResponsesWire, OPENAI_RESPONSES, 'input', (fetch) =>
      createOpenAI({ apiKey: 'key', fetch }).responses('gpt-5.4'),
    ),
  () =>
    capture('OpenAI Chat', openaiChatWire, OPENAI_CHAT, 'messages', (fetch) =>
      createOpenAI({ apiKey: 'key', fetch }).chat('gpt-4.1'),
    ),
  () =>
    capture('Gemini 2.5', googleWire, GOOGLE, 'contents', (fetch) =>
      createGoogle({ apiKey: 'key', fetch })('gemini-2.5-pro'),
    ),
  () =>
    capture('Gemini 3', googleWire, GOOGLE, 'contents', (fetch) =>
      createGoogle({ apiKey: 'key', fetch })('gemini-3.1-pro-preview'),
    ),
  () =>
    capture('compatible', openaiChatWire, compatibleDialect('my-server'), 'messages', (fetch) =>
      createOpenAICompatible({ name: 'my-server', baseURL: 'http://localhost:1234/v1', includeUsage: true, fetch })(
        'qwen3',
      ),
    ),
]

function capture(
  name: string,
  wire: Wire,
  dialect: Dialect,
  messagesKey: CapturedProvider['messagesKey'],
  connect: (fetch: Fetch) => LanguageModelV4,
): CapturedProvider {
  const requests: CapturedRequest[] = []
  const answers: WireAnswer[] = []
  const fetch: Fetch = async (input, init) => {
    const text = String(init?.body)
    const body: unknown = JSON.parse(text)
    if (!isRecord(body)) throw new Error('not a request')
    requests.push({ url: input instanceof Request ? input.url : String(input), text, body })
    const answer = answers.shift() ?? { text: 'Done.' }
    const { opening, pieces, closing } = wire.encode(answer, {
      model: 'model',
      usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      finish: answer.finish ?? ((answer.toolCalls ?? []).length > 0 ? 'tool-calls' : 'stop'),
      turn: requests.length,
    })
    return new Response([...opening, ...pieces, ...closing].join(''), {
      headers: { 'content-type': 'text/event-stream' },
    })
  }
  return {
    name,
    wire,
    dialect,
    model: connect(fetch),
    requests,
    messagesKey,
    prepare: (options) => ({ ...options, providerOptions: { openai: { store: false } } }),
    answer: (answer) => void answers.push(answer),
  }
}
