import { isRecord, mapKeepingIdentity, textOf, toJson, toJsonObject } from './json.ts'
import type { JsonObject } from './json.ts'
import type { ContentPart, FilePart, ImagePart, Part, Role, ToolOutput, Usage } from './message.ts'

/**
 * Message content from outside may be anything: null, a bare string, parts of another vendor. These functions turn it
 * into valid parts and never throw; what was valid comes back as the same object. Nothing readable is dropped.
 */
export function readRole(value: unknown): Role {
  return value === 'assistant' || value === 'tool' ? value : 'user'
}

export function readParts(value: unknown, role: Role): readonly Part[] {
  return Array.isArray(value)
    ? flattenNulls(mapKeepingIdentity(value, (part) => readPart(part, role)))
    : flattenNulls([readPart(value, role)])
}

export function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined
  const input = readCount(value['input'])
  const output = readCount(value['output'])
  if (input === undefined && output === undefined) return undefined
  const usage: Usage = {
    input: input ?? 0,
    output: output ?? 0,
    ...optional('cacheRead', readCount(value['cacheRead'])),
    ...optional('cacheWrite', readCount(value['cacheWrite'])),
    ...optional('reasoning', readCount(value['reasoning'])),
    ...optional('costUsd', readCount(value['costUsd'])),
  }
  // Sums rest on these numbers, so none is missing and nothing unknown stays among them.
  const isSame = Object.keys({ ...value, ...usage }).every(
    (key) => Object.hasOwn(usage, key) && usage[key as keyof Usage] === value[key],
  )
  return isSame ? (value as unknown as Usage) : usage
}

function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

function flattenNulls<T extends Part>(parts: readonly (T | null)[]): readonly T[] {
  return parts.includes(null) ? parts.filter((part) => part !== null) : (parts as readonly T[])
}

/** Which parts a role can hold: results only in tool messages, calls and reasoning only in assistant messages. */
function readPart(value: unknown, role: Role): Part | null {
  if (!isRecord(value)) return readBare(value)
  switch (value['type']) {
    case 'tool-call':
      return role === 'assistant' ? readToolCall(value) : unexpected(value)
    case 'tool-result':
      return role === 'tool' ? readToolResult(value) : unexpected(value)
    case 'reasoning':
      return role === 'assistant' ? readText(value, 'reasoning') : unexpected(value)
    default:
      return readContent(value)
  }
}

/** What stands where a part should: a string, a number, a list. Nothing at all is dropped. */
function readBare(value: unknown): ContentPart | null {
  const text = textOf(value)
  return text === '' ? null : { type: 'text', text }
}

function readContent(value: Readonly<Record<string, unknown>>): ContentPart {
  switch (value['type']) {
    case 'text':
      return readText(value, 'text')
    case 'image':
      if (typeof value['image'] !== 'string') return unexpected(value)
      return keepIfSame<ImagePart>(value, {
        type: 'image',
        image: value['image'],
        ...optional('mediaType', typeof value['mediaType'] === 'string' ? value['mediaType'] : undefined),
        ...optional('width', readCount(value['width'])),
        ...optional('height', readCount(value['height'])),
        ...providerOptions(value),
      })
    case 'file':
      if (typeof value['data'] !== 'string') return unexpected(value)
      return keepIfSame<FilePart>(value, {
        type: 'file',
        data: value['data'],
        mediaType: typeof value['mediaType'] === 'string' ? value['mediaType'] : 'application/octet-stream',
        ...optional('filename', typeof value['filename'] === 'string' ? value['filename'] : undefined),
        ...providerOptions(value),
      })
    default:
      return unexpected(value)
  }
}

function readText<T extends 'text' | 'reasoning'>(value: Readonly<Record<string, unknown>>, type: T) {
  const text = typeof value['text'] === 'string' ? value['text'] : textOf(value['text'])
  return keepIfSame(value, { type, text, ...providerOptions(value) })
}

function readToolCall(value: Readonly<Record<string, unknown>>): Part {
  return keepIfSame(value, {
    type: 'tool-call',
    toolCallId: readId(value['toolCallId']),
    toolName: readName(value['toolName']),
    input: readInput(value['input']),
    ...providerOptions(value),
  })
}

function readToolResult(value: Readonly<Record<string, unknown>>): Part {
  return keepIfSame(value, {
    type: 'tool-result',
    toolCallId: readId(value['toolCallId']),
    toolName: readName(value['toolName']),
    output: readOutput(value['output']),
    ...optional('isError', typeof value['isError'] === 'boolean' ? value['isError'] : undefined),
    ...optional('artifactId', typeof value['artifactId'] === 'string' ? value['artifactId'] : undefined),
    ...optional('isReceipt', typeof value['isReceipt'] === 'boolean' ? value['isReceipt'] : undefined),
    ...providerOptions(value),
  })
}

export function readOutput(value: unknown): ToolOutput {
  if (Array.isArray(value)) {
    return flattenNulls(mapKeepingIdentity(value, (part) => (isRecord(part) ? readContent(part) : readBare(part))))
  }
  return textOf(value)
}

/** Providers take objects only. A string that holds one is parsed; anything else is kept under a name. */
function readInput(value: unknown): JsonObject {
  if (isRecord(value)) return toJsonObject(value)
  if (value === null || value === undefined || value === '') return {}
  if (typeof value === 'string') {
    try {
      const parsed: unknown = JSON.parse(value)
      if (isRecord(parsed)) return toJsonObject(parsed)
    } catch {
      // Arguments cut off mid-stream are common; they are kept as text below.
    }
  }
  return toJsonObject({ value })
}

function readId(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

function readName(value: unknown): string {
  return typeof value === 'string' && value.trim() !== '' ? value : 'unknown'
}

function unexpected(value: Readonly<Record<string, unknown>>): ContentPart {
  return { type: 'text', text: textOf(value) }
}

function providerOptions(value: Readonly<Record<string, unknown>>): { providerOptions?: JsonObject } {
  return isRecord(value['providerOptions']) ? { providerOptions: toJsonObject(value['providerOptions']) } : {}
}

function optional<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]?: V })
}

/** Optional fields that reading checks: where one is missing from what was read, it was not valid. */
const CHECKED = new Set('mediaType width height filename isError artifactId isReceipt providerOptions'.split(' '))

/** The original when reading changed nothing in it. Fields of a newer version, which nobody here knows, are kept. */
function keepIfSame<T extends object>(original: Readonly<Record<string, unknown>>, read: T): T {
  const extra = Object.keys(original).filter((key) => !Object.hasOwn(read, key))
  const isSame = Object.entries(read).every(([key, field]) => original[key] === field)
  if (extra.length === 0) return isSame ? (original as T) : read
  if (isSame && !extra.some((key) => CHECKED.has(key)) && toJson(original) === original) return original as T
  const unknown = extra.filter((key) => !CHECKED.has(key)).map((key) => [key, original[key]])
  return { ...toJsonObject(Object.fromEntries(unknown)), ...read }
}
