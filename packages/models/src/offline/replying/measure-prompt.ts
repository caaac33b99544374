import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { hashText, isRecord, textOf } from '@longhaul/engine/advanced'
import type { CountTokens } from '../count-tokens.ts'

/** One stretch of a request that is sent as it is or not at all: the tools, or a message. */
export interface PromptItem {
  readonly tokens: number
  /** Of everything up to here. */
  readonly prefixHash: string
}

/** What roles and separators cost on the wire, as OpenAI documents it for its chat format. */
const MESSAGE_TOKENS = 4
/** An image of a usual size. */
const MEDIA_TOKENS = 765

/** The tokens of a request, item by item; texts that were counted before cost nothing. */
export function measurePrompt(
  { prompt, tools = [] }: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>,
  count: CountTokens,
): readonly PromptItem[] {
  let prefixHash = ''
  const add = (tokens: number, texts: readonly string[]): PromptItem => {
    prefixHash = hashText([prefixHash, ...texts].join('\n'))
    return { tokens, prefixHash }
  }
  const items = tools.length === 0 ? [] : [add(count(textOf(tools)), [textOf(tools)])]
  for (const message of prompt) {
    const { texts, media } = readContent(message)
    const tokens = texts.reduce((sum, text) => sum + count(text), MESSAGE_TOKENS + media * MEDIA_TOKENS)
    items.push(add(tokens, [message.role, ...texts]))
  }
  return items
}

function readContent({ content }: LanguageModelV4Message): { texts: readonly string[]; media: number } {
  if (!Array.isArray(content)) return { texts: [textOf(content)], media: 0 }
  let media = 0
  const texts = content.filter(isRecord).flatMap((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [textOf(part.text)]
      case 'tool-call':
        return [textOf(part.toolName), textOf(part.input)]
      case 'tool-result':
        return [
          textOf(part.toolName),
          textOf(isRecord(part.output) && 'value' in part.output ? part.output.value : part.output),
        ]
      case 'file':
      case 'reasoning-file':
        if (part.data?.type === 'text') return [textOf(part.data.text)]
        media += 1
        return [textOf(part.mediaType)]
      case 'custom':
      case 'tool-approval-response':
        return [textOf(part)]
      default:
        part satisfies never
        return [textOf(part)]
    }
  })
  return { texts, media }
}
