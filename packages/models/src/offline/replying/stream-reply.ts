import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { sliceHead } from '@longhaul/engine/advanced'
import type { OfflineReply } from './render-plan.ts'

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>

export interface Speech {
  readonly reply: OfflineReply
  /** Names the answer; the calls in it are named after it. */
  readonly id: string
  readonly finish: LanguageModelV4FinishReason['unified']
  readonly usage: LanguageModelV4Usage
  readonly warnings: readonly SharedV4Warning[]
}

export interface Delivery {
  /** null: as fast as it is read. */
  readonly charsPerSecond: number | null
  readonly sleep: Sleep
  readonly signal: AbortSignal | undefined
}

const PIECE_CHARS = 48
const PIECES_PER_SECOND = 20

/** The reply as the parts of a stream, at the speed that was asked for. An abort ends it at once, with its reason. */
export async function* streamReply(speech: Speech, delivery: Delivery): AsyncGenerator<LanguageModelV4StreamPart> {
  const { reply, id, finish, usage, warnings } = speech
  delivery.signal?.throwIfAborted()
  yield { type: 'stream-start', warnings: [...warnings] }
  yield { type: 'response-metadata', id, modelId: MODEL_ID }
  if (reply.text !== '') {
    yield { type: 'text-start', id: TEXT_ID }
    for await (const delta of speak(reply.text, delivery)) yield { type: 'text-delta', id: TEXT_ID, delta }
    yield { type: 'text-end', id: TEXT_ID }
  }
  for (const [index, { toolName, input }] of reply.calls.entries()) {
    const toolCallId = `${id}-${index + 1}`
    const json = JSON.stringify(input)
    yield { type: 'tool-input-start', id: toolCallId, toolName }
    for await (const delta of speak(json, delivery)) yield { type: 'tool-input-delta', id: toolCallId, delta }
    yield { type: 'tool-input-end', id: toolCallId }
    yield { type: 'tool-call', toolCallId, toolName, input: json }
  }
  delivery.signal?.throwIfAborted()
  yield { type: 'finish', usage, finishReason: { unified: finish, raw: finish } }
}

export const MODEL_ID = 'extractive'
const TEXT_ID = 'text'

async function* speak(text: string, { charsPerSecond, sleep, signal }: Delivery): AsyncGenerator<string> {
  const chars = charsPerSecond === null ? PIECE_CHARS : Math.max(2, Math.round(charsPerSecond / PIECES_PER_SECOND))
  let rest = text
  while (rest !== '') {
    const piece = sliceHead(rest, chars)
    if (charsPerSecond !== null) await pause((piece.length / charsPerSecond) * 1_000, sleep, signal)
    signal?.throwIfAborted()
    yield piece
    rest = rest.slice(piece.length)
  }
}

/** Ends with the abort even where the sleep given does not look at it. */
async function pause(ms: number, sleep: Sleep, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    await sleep(ms)
    return
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([sleep(ms, signal), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
