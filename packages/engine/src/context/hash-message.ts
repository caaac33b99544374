import type { SealedMessage } from '../request/seal/sealed-request.ts'
import { hashText } from '../tokens/hash.ts'
import type { ContentPart, Message, Part } from '../transcript/message.ts'

/**
 * The hash of a message by its normalised content. Provider data and the order of keys do not count: hosts move cache
 * marks between calls, and databases sort keys. Neither does it matter whether a text came as one part or as a bare string,
 * nor whether the host still has the reasoning behind an answer: some send only that of the newest one.
 */
export function hashMessage({ role, parts }: Message | SealedMessage): string {
  return hashText(JSON.stringify([role, ...parts.filter(({ type }) => type !== 'reasoning').map(normalise)]))
}

function normalise(part: Part): readonly unknown[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [part.type, part.text]
    case 'image':
      return ['image', part.image]
    case 'file':
      return ['file', part.data, part.mediaType]
    case 'tool-call':
      return ['tool-call', part.toolCallId, part.toolName, sortKeys(part.input)]
    case 'tool-result': {
      const { output } = part
      const content = typeof output === 'string' ? output : output.map((each: ContentPart) => normalise(each))
      return ['tool-result', part.toolCallId, content, part.isError === true]
    }
    default:
      return part satisfies never
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return entries.map(([key, field]) => [key, sortKeys(field)])
}
