import type { Message, Part, ToolOutput } from '../transcript/message.ts'
import { shortenEnd, shortenMiddle } from './shorten.ts'

/** How much of tool traffic the text shows; absent limits show everything. */
export interface TextLimits {
  readonly toolInputChars?: number
  readonly resultMaxChars?: number
  readonly resultHeadChars?: number
  readonly resultTailChars?: number
}

/**
 * Renders a message as text, as summarizers read it. Reasoning is left out.
 *
 * @example
 * const line = renderMessage(message).split('\n')[0]
 */
export function renderMessage(message: Message, limits: TextLimits = {}): string {
  const text = renderParts(message.parts, limits)
  const label = LABELS[message.role]
  return label === null || text === '' ? text : `${label}: ${text}`
}

/** The same without saying who spoke, for whoever shows that in another way. */
export function renderParts(parts: readonly Part[], limits: TextLimits = {}): string {
  return parts
    .map((part) => renderPart(part, limits))
    .filter((line) => line !== '')
    .join('\n')
}

export function renderMessages(messages: readonly Message[], limits: TextLimits = {}): string {
  return messages
    .map((message) => renderMessage(message, limits))
    .filter((text) => text !== '')
    .join('\n\n')
}

/** What a tool answered, as text; images and files are named, not included. */
export function outputText(output: ToolOutput): string {
  if (typeof output === 'string') return output
  return output.map((part) => renderPart(part, {})).join('\n')
}

const LABELS = { user: 'User', assistant: 'Assistant', tool: null } as const

function renderPart(part: Part, limits: TextLimits): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return ''
    case 'image':
      return '[image]'
    case 'file':
      return `[file${part.filename === undefined ? '' : ` ${part.filename}`}, ${part.mediaType}]`
    case 'tool-call':
      return `[calls ${part.toolName} ${shortenEnd(JSON.stringify(part.input), limits.toolInputChars)}]`
    case 'tool-result':
      return `[${part.toolName} ${part.isError === true ? 'failed' : 'answered'}] ${shortenResult(outputText(part.output), limits)}`
    default:
      return part satisfies never
  }
}

function shortenResult(text: string, limits: TextLimits): string {
  const { resultMaxChars, resultHeadChars = resultMaxChars ?? 0, resultTailChars = 0 } = limits
  return resultMaxChars === undefined ? text : shortenMiddle(text, resultMaxChars, resultHeadChars, resultTailChars)
}
