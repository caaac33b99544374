import { outputText } from '@longhaul/runtime'
import type { MessageEntry } from '@longhaul/runtime'
import type { Block } from './block.ts'

type Part = MessageEntry['parts'][number]

/** Messages of a transcript as they are shown; a tool's answer belongs to its call. */
export function toBlocks(messages: readonly MessageEntry[]): readonly Block[] {
  const results = new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, part]] : [])),
    ),
  )
  return messages.flatMap((message) => {
    if (message.role === 'tool') return []
    if (message.role === 'user') return [{ kind: 'user', id: message.id, text: textOfParts(message.parts) }]
    const said = message.parts.flatMap((part): readonly Block[] => {
      if (part.type === 'text') return part.text.trim() === '' ? [] : [{ kind: 'assistant', text: part.text }]
      if (part.type !== 'tool-call') return []
      const result = results.get(part.toolCallId)
      return [
        {
          kind: 'tool',
          id: part.toolCallId,
          name: part.toolName,
          input: part.input,
          output: result === undefined ? null : outputText(result.output),
          isError: result?.isError === true,
          isTruncated: false,
        },
      ]
    })
    const { failure } = message
    return failure === undefined ? said : [...said, { kind: 'notice', tone: 'error', text: failure.message }]
  })
}

/** Images and files are named, not shown. */
export function textOfParts(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : `[${part.type}]`))
    .join('\n')
    .trim()
}
