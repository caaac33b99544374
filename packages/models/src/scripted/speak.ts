import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { piecesOf } from './scripted-reply.ts'
import type { ScriptedAnswer, ScriptedBreak, ScriptedToolCall } from './scripted-reply.ts'

export interface Speech {
  readonly answer: ScriptedAnswer
  readonly usage: LanguageModelV4Usage
  /** Numbers the ids of tool calls, so that two answers never share one. */
  readonly turn: number
  readonly sleep: (ms: number) => Promise<void>
  /** Settles when the call is cancelled. */
  readonly hang: () => Promise<never>
}

/** An answer as the pieces of a stream, with its delays and faults. */
export async function* speak({ answer, usage, turn, sleep, hang }: Speech): AsyncGenerator<LanguageModelV4StreamPart> {
  const { delays = {}, breaksOff } = answer
  yield { type: 'stream-start', warnings: [] }
  if (delays.firstByteMs !== undefined) await sleep(delays.firstByteMs)
  let pieces = 0
  for (const part of partsOf(answer, turn)) {
    if (isPiece(part)) {
      if (breaksOff !== undefined && pieces >= breaksOff.afterPieces) break
      if (delays.pieceMs !== undefined) await sleep(delays.pieceMs)
      pieces += 1
    }
    yield part
  }
  if (breaksOff !== undefined) yield* breakOff(breaksOff, hang)
  else yield { type: 'finish', usage, finishReason: finishOf(answer) }
}

function* partsOf(answer: ScriptedAnswer, turn: number): Generator<LanguageModelV4StreamPart> {
  yield* block('reasoning', piecesOf(answer.reasoning), answer.reasoningMetadata)
  yield* block('text', piecesOf(answer.text))
  for (const [index, call] of (answer.toolCalls ?? []).entries()) yield* callPieces(call, `call_${turn}_${index}`)
}

function* block(
  type: 'text' | 'reasoning',
  deltas: readonly string[],
  providerMetadata?: SharedV4ProviderMetadata,
): Generator<LanguageModelV4StreamPart> {
  if (deltas.length === 0 && providerMetadata === undefined) return
  const id = type
  yield { type: `${type}-start`, id }
  for (const delta of deltas) yield { type: `${type}-delta`, id, delta }
  yield { type: `${type}-end`, id, ...(providerMetadata === undefined ? {} : { providerMetadata }) }
}

function* callPieces({ id, name, input }: ScriptedToolCall, nextId: string): Generator<LanguageModelV4StreamPart> {
  const toolCallId = id ?? nextId
  const json = typeof input === 'string' ? input : JSON.stringify(input)
  yield { type: 'tool-input-start', id: toolCallId, toolName: name }
  yield { type: 'tool-input-delta', id: toolCallId, delta: json }
  yield { type: 'tool-input-end', id: toolCallId }
  yield { type: 'tool-call', toolCallId, toolName: name, input: json }
}

function isPiece({ type }: LanguageModelV4StreamPart): boolean {
  return type === 'text-delta' || type === 'reasoning-delta' || type === 'tool-call'
}

async function* breakOff({ how }: ScriptedBreak, hang: Speech['hang']): AsyncGenerator<LanguageModelV4StreamPart> {
  if (how === 'end') return
  if (how === 'hang') await hang()
  else if ('throws' in how) throw how.throws
  else yield { type: 'error', error: how.error }
}

function finishOf({ finish, toolCalls = [] }: ScriptedAnswer): LanguageModelV4FinishReason {
  const unified = finish ?? (toolCalls.length > 0 ? 'tool-calls' : 'stop')
  return { unified, raw: unified }
}
