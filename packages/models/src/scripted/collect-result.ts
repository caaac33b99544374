import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { NO_USAGE } from './count-request.ts'

/** A stream, read to its end, as the answer that is not streamed. */
export async function collectResult(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = []
  const open = new Map<string, Block>()
  let usage: LanguageModelV4Usage = NO_USAGE
  let finishReason: LanguageModelV4FinishReason = { unified: 'other', raw: undefined }
  const find = (type: Block['type'], id: string): Block => {
    const block: Block = open.get(id) ?? { type, text: '' }
    if (!open.has(id)) content.push(block)
    open.set(id, block)
    return block
  }
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta') find('text', part.id).text += part.delta
    if (part.type === 'reasoning-delta') find('reasoning', part.id).text += part.delta
    if (part.type === 'reasoning-end') {
      const { providerMetadata } = part
      if (providerMetadata !== undefined) find('reasoning', part.id).providerMetadata = providerMetadata
    }
    if (part.type === 'tool-call') content.push(part)
    if (part.type === 'finish') ({ usage, finishReason } = part)
  }
  return { content, usage, finishReason, warnings: [] }
}

interface Block {
  readonly type: 'text' | 'reasoning'
  text: string
  providerMetadata?: SharedV4ProviderMetadata
}
