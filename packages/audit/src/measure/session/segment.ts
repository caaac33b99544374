import { outputText, redactSecrets } from '@longhaul/engine/advanced'
import type { JsonValue, Message, MessageEntry, ToolCallPart } from '@longhaul/engine/advanced'
import { personText } from '@longhaul/replay'
import { readToolAction } from './tool-action.ts'

/** A stretch of a message from one source. */
export interface Segment {
  readonly by: 'user' | 'assistant' | 'tool'
  readonly text: string
  /** Somebody chose these words, so that naming a thing here is using it. The body of a file that is written uses nothing. */
  readonly isUse: boolean
  readonly isProse: boolean
  /** The call that a result answers. */
  readonly toolCallId: string | null
}

/** Longer arguments are contents, not names. */
const MAX_ARGUMENT_CHARS = 400

/** The message's stretches, always the same ones in the same order. Reasoning is left out: it is not sent again. */
export function splitMessage(message: Message): readonly Segment[] {
  if (message.role === 'user') return splitUserMessage(message)
  return message.parts.flatMap((part): readonly Segment[] => {
    if (part.type === 'text') return [createSegment(message.role, part.text, message.role === 'assistant')]
    if (part.type === 'tool-call') return splitCall(part)
    if (part.type !== 'tool-result') return []
    return [{ ...createSegment('tool', outputText(part.output), false), toolCallId: part.toolCallId }]
  })
}

/** Programs write user messages of their own, with results and notices in them; nobody asked for what they name. */
function splitUserMessage(message: Message): readonly Segment[] {
  const isPerson = personText(message) !== null
  return message.parts.flatMap((part) =>
    part.type === 'text' ? [createSegment(isPerson ? 'user' : 'tool', part.text, isPerson)] : [],
  )
}

function splitCall(call: ToolCallPart): readonly Segment[] {
  const { kind } = readToolAction(call)
  return Object.entries(call.input).flatMap(([key, value]) =>
    stringsIn(value).map((text) => {
      const isName = kind !== 'change' || /path|file/i.test(key)
      // A heredoc holds the body of a file, so the text from `<<` on is left out.
      const bare = text.includes('<<') ? text.slice(0, text.indexOf('<<')) : text
      const isUse = isName && bare.length <= MAX_ARGUMENT_CHARS
      return { ...createSegment('assistant', bare, isUse), isProse: false }
    }),
  )
}

/** Secrets go before anything is cut out: neither a fact nor an excerpt may be one, or half of one. */
function createSegment(by: Segment['by'], text: string, isUse: boolean): Segment {
  return { by, text: redactSecrets(text), isUse, isProse: isUse, toolCallId: null }
}

function stringsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap((inner) => stringsIn(inner))
  return []
}

/** Messages that a model got; answers that failed or were cancelled are not sent again. */
export function isSpoken(entry: { readonly type: string }): entry is MessageEntry {
  if (entry.type !== 'message') return false
  const { finish } = entry as MessageEntry
  return finish !== 'error' && finish !== 'aborted'
}
