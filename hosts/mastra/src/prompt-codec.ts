import { keepOwnParts } from '@longhaul/engine'
import type { MirrorCodec, OwnPart, Part } from '@longhaul/engine'
import { isRecord, readOutput, readParts, textOf } from '@longhaul/engine/advanced'
import { readMedia } from '@longhaul/store/host'
import type { ProcessLLMRequestArgs } from '@mastra/core/processors'

export type PromptMessage = ProcessLLMRequestArgs['prompt'][number]
type Fields = Readonly<Record<string, unknown>>

/** Reads the prompt that Mastra has made for a model: one message for each answer, and one for its results of tools. */
export const promptCodec: MirrorCodec<PromptMessage> = {
  read(message) {
    const parts = ownParts(message).flatMap(({ read }) => read ?? [])
    return parts.length === 0 ? null : { role: message.role, parts }
  },
  write({ role, parts }, original) {
    const content = keepOwnParts(original === null ? [] : ownParts(original), parts, writePart)
    return { ...original, role, content } as unknown as PromptMessage
  },
  // Mastra notes in `providerOptions` when it made a part, which is another time at each call.
  dataOf({ role, content }) {
    const parts: readonly unknown[] = typeof content === 'string' ? [content] : content
    return [role, ...parts.map((part) => (isRecord(part) ? withoutOptions(part) : part))]
  },
}

function withoutOptions({ providerOptions: _, ...part }: Fields): unknown {
  return part['type'] === 'text' ? part['text'] : part
}

function ownParts({ role, content }: PromptMessage): readonly OwnPart<Fields>[] {
  const parts: readonly unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return parts.filter(isRecord).map((host) => ({ host, read: readPart(host, role) }))
}

function readPart(part: Fields, role: PromptMessage['role']): Part | null {
  const { type } = part
  if (!READ.includes(type)) return null
  // A tool that ran at the provider's: its call and its result stand in one answer, and are read as words.
  if (role === 'assistant' && (type === 'tool-result' || part['providerExecuted'] === true))
    return { type: 'text', text: textOf(type === 'tool-result' ? part['output'] : part) }
  const own = type === 'file' ? readFile(part) : type === 'tool-result' ? { ...part, ...readResult(part) } : part
  return readParts([own], role === 'system' ? 'user' : role)[0] ?? null
}

const READ: readonly unknown[] = ['text', 'reasoning', 'file', 'tool-call', 'tool-result']

function readResult({ output }: Fields): { readonly output: ReturnType<typeof readOutput>; readonly isError?: true } {
  if (!isRecord(output)) return { output: textOf(output) }
  const { type, value, reason } = output
  if (type === 'content' && Array.isArray(value)) return { output: readOutput(value.map(readContent)) }
  const isError = type === 'error-text' || type === 'error-json' || type === 'execution-denied'
  return { output: textOf(value ?? reason), ...(isError ? { isError: true } : {}) }
}

/** `media` stood in the prompts of older models, `file` stands in those of newer ones. */
function readContent(part: unknown): unknown {
  return isRecord(part) && (part['type'] === 'media' || part['type'] === 'file') ? readFile(part) : part
}

function readFile({ data, ...fields }: Fields): Fields {
  const bytes = isRecord(data) && typeof data['type'] === 'string' ? data[data['type']] : data
  const text = readMedia(bytes) ?? textOf(data)
  const isImage = textOf(fields['mediaType']).startsWith('image')
  return isImage ? { ...fields, type: 'image', image: text } : { ...fields, type: 'file', data: text }
}

function writePart(part: Part, original: Fields | null): Fields {
  switch (part.type) {
    case 'image':
      return { ...original, type: 'file', mediaType: part.mediaType ?? 'image/*', data: part.image }
    case 'tool-result': {
      const { output, isError, ...names } = part
      const value = typeof output === 'string' ? output : output.map((content) => writePart(content, null))
      const type = typeof output !== 'string' ? 'content' : isError === true ? 'error-text' : 'text'
      return { ...original, ...names, output: { type, value } }
    }
    case 'text':
    case 'reasoning':
    case 'file':
    case 'tool-call':
      return { ...original, ...part }
    default:
      return part satisfies never
  }
}
