import { keepOwnParts } from '@longhaul/engine'
import type { MirrorCodec, OwnPart, Part } from '@longhaul/engine'
import { isRecord, readOutput, readParts, textOf } from '@longhaul/engine/advanced'
import { readMedia } from './read-media.ts'

type Fields = Readonly<Record<string, unknown>>
type Role = 'system' | 'user' | 'assistant' | 'tool'

/** A message of the AI SDK, of an app or of a model's prompt; other frameworks send prompts in the same form. */
interface ModelMessage {
  readonly role: Role
  readonly content: unknown
}

export interface ModelMessageOptions {
  /** The form that the bytes or the address of a file have in a message. */
  readonly writeData: (data: string) => unknown
}

/** Parts that nobody says, calls or answers. They stay in the host's own messages. */
const MARKS: readonly unknown[] = ['tool-approval-request', 'tool-approval-response', 'custom', 'reasoning-file']
const MEDIA: readonly unknown[] = ['file', 'image', 'media']

export function createModelMessageCodec<M extends ModelMessage>({ writeData }: ModelMessageOptions): MirrorCodec<M> {
  function writePart(part: Part, original: Fields | null): Fields {
    switch (part.type) {
      case 'image':
        return { ...original, type: 'file', mediaType: part.mediaType ?? 'image/*', data: writeData(part.image) }
      case 'file':
        return { ...part, ...original, data: writeData(part.data) }
      case 'tool-result': {
        const { output: said, isError, ...names } = part
        const output =
          typeof said === 'string'
            ? { type: isError === true ? 'error-text' : 'text', value: said }
            : { type: 'content', value: said.map((content) => writePart(content, null)) }
        return { ...original, ...names, output }
      }
      case 'text':
      case 'reasoning':
      case 'tool-call':
        return { ...original, ...part }
      default:
        return part satisfies never
    }
  }

  return {
    read(message) {
      const parts = ownParts(message).flatMap(({ read }) => read ?? [])
      return parts.length === 0 ? null : { role: message.role, parts }
    },
    write({ role, parts }, original) {
      const own = original === null ? [] : ownParts(original)
      const content = keepOwnParts(own, parts, writePart)
      const thoughts = own.filter(({ read }) => read?.type === 'reasoning').length
      const isWhole = parts.filter(({ type }) => type === 'reasoning').length >= thoughts
      return { ...original, role, content: isWhole ? content : content.map(withoutItem) } as unknown as M
    },
    // Options of providers say nothing, and may be others at each call: marks for a cache, or the time of the call.
    dataOf: ({ role, content }) => [role, ...(Array.isArray(content) ? content.map(withoutOptions) : [content])],
  }
}

function withoutOptions(part: unknown): unknown {
  if (!isRecord(part)) return part
  const { providerOptions: _, ...said } = part
  return said['type'] === 'text' ? said['text'] : said
}

function ownParts({ role, content }: ModelMessage): readonly OwnPart<Fields>[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  return parts.filter(isRecord).map((host) => ({ host, read: readPart(host, role) }))
}

function readPart(part: Fields, role: Role): Part | null {
  const { type, output } = part
  if (MARKS.includes(type)) return null
  const isOutside = role === 'assistant' && (type === 'tool-result' || part['providerExecuted'] === true)
  // A tool that ran at the provider's: its call and its result stand in one answer, and are read as words.
  if (isOutside) return { type: 'text', text: textOf(type === 'tool-result' ? readResult(output).output : part) }
  const own = type === 'tool-result' ? { ...part, ...readResult(output) } : readFile(part)
  return readParts([own], role === 'system' ? 'user' : role)[0] ?? null
}

function readResult(output: unknown): { readonly output: ReturnType<typeof readOutput>; readonly isError?: true } {
  if (!isRecord(output)) return { output: textOf(output) }
  const { type, value, reason } = output
  if (type === 'execution-denied') return { output: textOf(reason ?? 'The call was denied.'), isError: true }
  if (type === 'content' && Array.isArray(value)) return { output: readOutput(value.map(readFile)) }
  return { output: textOf(value), ...(type === 'error-text' || type === 'error-json' ? { isError: true } : {}) }
}

/** Whatever is no file stays as it is. */
function readFile(part: unknown): unknown {
  if (!isRecord(part) || !MEDIA.includes(part['type'])) return part
  const { data, image = data, type, mediaType = type, ...fields } = part
  const bytes = isRecord(image) && typeof image['type'] === 'string' ? image[image['type']] : image
  const text = readMedia(bytes) ?? textOf(image)
  const isImage = /^image\b/.test(textOf(mediaType))
  return { ...fields, mediaType, ...(isImage ? { type: 'image', image: text } : { type: 'file', data: text }) }
}

/** OpenAI refuses a stored item of an answer whose thoughts are left out; without its id it is sent in full instead. */
function withoutItem(part: Fields): Fields {
  if (!isRecord(part['providerOptions'])) return part
  const providers = Object.entries(part['providerOptions']).map(([name, options]) => {
    const { itemId: _, ...others } = isRecord(options) ? options : {}
    return [name, others]
  })
  return { ...part, providerOptions: Object.fromEntries(providers) }
}
