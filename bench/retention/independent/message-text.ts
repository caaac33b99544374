import type { Message, Part } from '@longhaul/engine/advanced'

/** All words of a message; the strings of a tool call's input as they were before they were written as JSON. */
export function textOf({ parts }: Pick<Message, 'parts'>): string {
  const known = texts.get(parts)
  if (known !== undefined) return known
  const text = parts.map(partText).join('\n')
  texts.set(parts, text)
  return text
}

const texts = new WeakMap<readonly Part[], string>()

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool-call':
      return `${part.toolName}\n${stringsIn(part.input)}`
    case 'tool-result':
      return stringsIn(part.output)
    case 'reasoning':
    case 'image':
    case 'file':
      return ''
    default:
      return part satisfies never
  }
}

function stringsIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(stringsIn).join('\n')
  if (typeof value !== 'object' || value === null) return ''
  return Object.entries(value)
    .map(([key, inner]) => `${key}: ${stringsIn(inner)}`)
    .join('\n')
}
