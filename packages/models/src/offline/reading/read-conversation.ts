import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'
import { isRecord, textOf } from '@longhaul/engine/advanced'
import { splitOrigins } from './split-origins.ts'
import type { Origin } from './split-origins.ts'

/** A stretch of readable text with where it stood. */
export interface Passage {
  readonly origin: Origin
  readonly toolName: string | null
  readonly text: string
  /** Came after the newest message of the user. */
  readonly isNew: boolean
}

export interface ToolUse {
  readonly toolName: string
  readonly input: unknown
  readonly result: { readonly text: string; readonly isError: boolean } | null
}

export interface Conversation {
  readonly system: string
  /** What the newest message of the user says, in the user's own words. Nothing else is ever obeyed. */
  readonly ask: string
  /** The newest message also holds what cannot be read here: images, audio, documents. */
  readonly hasUnreadable: boolean
  /** All text, the ask included, oldest first. */
  readonly passages: readonly Passage[]
  readonly earlierUses: readonly ToolUse[]
  /** What was called for the sake of the ask. */
  readonly uses: readonly ToolUse[]
  /** Nothing was answered before. */
  readonly isFirstAnswer: boolean
}

/** What a prompt holds, as the rest of this model wants to read it. Never throws, whatever the messages hold. */
export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  // Lines that were brought back stand in the user's role, behind the results of a step too.
  const isAsk = (message: LanguageModelV4Message): boolean =>
    contentOf(message).some((part) => part.type !== 'text' || ownTexts(textOf(part.text)).length > 0)
  const newest = prompt.findLastIndex((message) => message.role === 'user' && isAsk(message))
  const passages = prompt.flatMap((message, index) => readPassages(message, index > newest))
  const asked = contentOf(prompt[newest])
  return {
    system: prompt.flatMap((message) => (message.role === 'system' ? [textOf(message.content)] : [])).join('\n\n'),
    ask: asked.flatMap((part) => (part.type === 'text' ? ownTexts(textOf(part.text)) : [])).at(-1) ?? '',
    hasUnreadable: asked.some((part) => part.type === 'file' && readFile(part) === null),
    passages,
    earlierUses: readUses(prompt.slice(0, newest + 1)),
    uses: readUses(prompt.slice(newest + 1)),
    isFirstAnswer: !passages.some(
      ({ origin, toolName }) => origin === 'summary' || (origin === 'assistant' && toolName === null),
    ),
  }
}

function ownTexts(text: string): readonly string[] {
  return splitOrigins(text, 'user').flatMap((piece) => (piece.origin === 'user' ? [piece.text] : []))
}

function readPassages(message: LanguageModelV4Message, isNew: boolean): readonly Passage[] {
  if (message.role === 'system')
    return splitOrigins(textOf(message.content), 'system').map((piece) => ({ ...piece, toolName: null, isNew }))
  return contentOf(message).flatMap((part): readonly Passage[] => {
    switch (part.type) {
      case 'text': {
        const text = textOf(part.text)
        if (message.role !== 'user') return [{ origin: 'assistant', toolName: null, text, isNew }]
        return splitOrigins(text, 'user').map((piece) => ({ ...piece, toolName: null, isNew }))
      }
      case 'file': {
        const text = readFile(part)
        return text === null
          ? []
          : [{ origin: message.role === 'user' ? 'user' : 'assistant', toolName: null, text, isNew }]
      }
      case 'tool-call':
        return [{ origin: 'assistant', toolName: textOf(part.toolName), text: describeInput(part.input), isNew }]
      case 'tool-result':
        return [{ origin: 'tool', toolName: textOf(part.toolName), text: readOutput(part.output).text, isNew }]
      case 'reasoning':
      case 'reasoning-file':
      case 'custom':
      case 'tool-approval-response':
        return []
      default:
        part satisfies never
        return []
    }
  })
}

type Content = Exclude<LanguageModelV4Message, { role: 'system' }>['content'][number]

function contentOf(message: LanguageModelV4Message | undefined): readonly Content[] {
  if (message === undefined || message.role === 'system' || !Array.isArray(message.content)) return []
  return message.content.filter(isRecord)
}

/** Calls with their results, in the order of the calls. */
function readUses(messages: readonly LanguageModelV4Message[]): readonly ToolUse[] {
  const parts = messages.flatMap(contentOf)
  const results = new Map(
    parts.flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, readOutput(part.output)] as const] : [])),
  )
  return parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ toolName: textOf(part.toolName), input: part.input, result: results.get(part.toolCallId) ?? null }]
      : [],
  )
}

function readFile({ data }: LanguageModelV4FilePart): string | null {
  return isRecord(data) && data.type === 'text' ? textOf(data.text) : null
}

function readOutput(output: LanguageModelV4ToolResultOutput): { text: string; isError: boolean } {
  switch (output?.type) {
    case 'text':
      return { text: textOf(output.value), isError: false }
    case 'json':
      return { text: describeValue(output.value), isError: false }
    case 'error-text':
    case 'error-json':
      return { text: textOf(output.value), isError: true }
    case 'execution-denied':
      return { text: `The call was not allowed. ${output.reason ?? ''}`.trim(), isError: true }
    case 'content': {
      const parts = Array.isArray(output.value) ? output.value : []
      return { text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'), isError: false }
    }
    default:
      return { text: textOf(output), isError: false }
  }
}

/** Objects a line a value, so that each can be quoted by itself. */
function describeValue(value: unknown): string {
  return isRecord(value) || Array.isArray(value) ? JSON.stringify(JSON.parse(textOf(value)), null, 1) : textOf(value)
}

/** Shorter values name what a call was about, and words of a search what was looked for; neither tells anything. */
const MIN_TOLD_CHARS = 40
const SEARCHES = /quer|question|pattern|keyword|search|term/i

function describeInput(input: unknown): string {
  if (!isRecord(input)) return ''
  return Object.entries(input)
    .filter(([key, value]) => !SEARCHES.test(key) && typeof value === 'string' && value.length >= MIN_TOLD_CHARS)
    .map(([key, value]) => `${key}: ${textOf(value)}`)
    .join('\n')
}
