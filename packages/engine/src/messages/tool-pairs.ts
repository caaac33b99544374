import type { Message, ToolCallPart, ToolResultPart } from '../transcript/message.ts'

/** A tool call with the result that answers it, both by place. */
export interface ToolPair {
  readonly call: ToolCallPart
  readonly callMessage: number
  /** null: no result is stored (the tool still runs, or was interrupted). */
  readonly answer: { readonly result: ToolResultPart; readonly message: number; readonly part: number } | null
}

/**
 * Pairs calls and results by occurrence, because ids repeat across turns: a result answers the first open call with its
 * id in the newest message that calls with it. An older call of that id stays unanswered, so that a duplicate is never
 * taken for its result. Duplicates and results without a call stay unpaired. Parallel calls may be answered in any order
 * and in any number of messages.
 */
export function pairTools(messages: readonly Message[]): readonly ToolPair[] {
  const pairs: ToolPair[] = []
  const newestById = new Map<string, { readonly message: number; readonly open: number[] }>()
  messages.forEach((message, messageIndex) => {
    message.parts.forEach((part, partIndex) => {
      if (part.type === 'tool-call') {
        const newest = newestById.get(part.toolCallId)
        if (newest?.message === messageIndex) newest.open.push(pairs.length)
        else newestById.set(part.toolCallId, { message: messageIndex, open: [pairs.length] })
        pairs.push({ call: part, callMessage: messageIndex, answer: null })
      } else if (part.type === 'tool-result') {
        const pairIndex = newestById.get(part.toolCallId)?.open.shift()
        const pair = pairIndex === undefined ? undefined : pairs[pairIndex]
        if (pairIndex === undefined || pair === undefined) return
        pairs[pairIndex] = { ...pair, answer: { result: part, message: messageIndex, part: partIndex } }
      }
    })
  })
  return pairs
}

export function hasToolCall(message: Message): boolean {
  return message.parts.some((part) => part.type === 'tool-call')
}
