import { keepOwnParts } from '@longhaul/engine'
import type { MirrorCodec, Part } from '@longhaul/engine'
import { isRecord, readOutput, readParts, textOf } from '@longhaul/engine/advanced'
import { readMedia } from '@longhaul/store/host'
import type { ModelMessage } from 'ai'

type Fields = Readonly<Record<string, unknown>>

/** Parts that nobody says, calls or answers. They stay in the host's own messages. */
const MARKS: readonly unknown[] = ['tool-approval-request', 'tool-approval-response', 'custom', 'reasoning-file']

const written = new WeakSet<object>()

/** Whether the codec wrote this message. */
export function isWritten(message: object): boolean {
  return written.has(message)
}

/** Reads messages of an app, and those of a model's prompt, which have the same form. It writes what can stand in both. */
export const messageCodec: MirrorCodec<ModelMessage> = {
  read(message) {
    const parts = ownParts(message).flatMap(({ read }) => read ?? [])
    return parts.length === 0 ? null : { role: message.role, parts }
  },
  write({ role, parts }, original) {
    const own = original === null ? [] : ownParts(original)
    const content = keepOwnParts(own, parts, writePart)
    const thoughts = own.filter(({ read }) => read?.type === 'reasoning').length
    const isWhole = parts.filter(({ type }) => type === 'reasoning').length >= thoughts
    const message = { ...original, role, content: isWhole ? content : content.map(withoutItem) } as ModelMessage
    written.add(message)
    return message
  },
}

function ownParts({ role, content }: ModelMessage): readonly { readonly host: Fields; readonly read: Part | null }[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  return parts.filter(isRecord).map((host) => ({ host, read: readPart(host, role) }))
}

function readPart(part: Fields, role: ModelMessage['role']): Part | null {
  const { type, output } = part
  if (MARKS.includes(type)) return null
  const isOutside = role === 'assistant' && (type === 'tool-result' || part['providerExecuted'] === true)
  // A tool that ran at the provider's: its call and its result stand in one answer, and are read as words.
  if (isOutside) return { type: 'text', text: textOf(type === 'tool-result' ? readResult(output).output : part) }
  const isResult = type === 'tool-result'
  const own = isMedia(part) ? readFile(part) : isResult ? { ...part, ...readResult(output) } : part
  return readParts([own], role === 'system' ? 'user' : role)[0] ?? null
}

function readResult(output: unknown): { readonly output: ReturnType<typeof readOutput>; readonly isError?: true } {
  if (!isRecord(output)) return { output: textOf(output) }
  const { type, value, reason } = output
  if (type === 'execution-denied') return { output: textOf(reason ?? 'The call was denied.'), isError: true }
  if (type === 'content' && Array.isArray(value)) {
    return { output: readOutput(value.map((part: unknown) => (isMedia(part) ? readFile(part as Fields) : part))) }
  }
  return { output: textOf(value), ...(type === 'error-text' || type === 'error-json' ? { isError: true } : {}) }
}

function isMedia(part: unknown): boolean {
  return isRecord(part) && (part['type'] === 'file' || part['type'] === 'image')
}

function readFile(part: Fields): Fields {
  const { type, mediaType = type } = part
  const data = readData(part['image'] ?? part['data'])
  const isImage = /^image\b/.test(textOf(mediaType))
  const { data: _, ...fields } = part
  return isImage ? { ...fields, type: 'image', image: data, mediaType } : { ...fields, data }
}

function readData(data: unknown): string {
  if (!isRecord(data) || typeof data['type'] !== 'string') return readMedia(data) ?? textOf(data)
  return readMedia(data[data['type']]) ?? textOf(data)
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

function writePart(part: Part, original: Fields | null): Fields {
  switch (part.type) {
    case 'image':
      return { ...original, type: 'file', mediaType: part.mediaType ?? 'image', data: writeData(part.image) }
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

function writeData(data: string): object {
  if (/^https?:/i.test(data) && URL.canParse(data)) return { type: 'url', url: new URL(data) }
  return { type: 'data', data: data.replace(/^data:[^,]*,/i, '') }
}
