import type { Message } from '../transcript/message.ts'

/**
 * A turn goes from a user message to the next one. An assistant turn is one assistant message with the results of the
 * tools it called: the unit in which a long run of tools ages.
 */
export function findNewestUserMessage(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'user')
}

export function findFirstUserMessage(messages: readonly Message[]): number {
  return messages.findIndex((message) => message.role === 'user')
}

/** Where the last `count` assistant turns begin: at the assistant message, or at the user message right before it. */
export function findLastAssistantTurns(messages: readonly Message[], count: number): number {
  let index = messages.length
  let left = count
  while (index > 0 && left > 0) {
    index -= 1
    if (messages[index]?.role === 'assistant') left -= 1
  }
  while (index > 0 && messages[index - 1]?.role === 'user') index -= 1
  return index
}

/** For each message, how many assistant messages follow it: its age in assistant turns. */
export function countAssistantTurnsAfter(messages: readonly Message[]): readonly number[] {
  const ages = Array.from<number>({ length: messages.length })
  let age = 0
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    ages[index] = age
    if (messages[index]?.role === 'assistant') age += 1
  }
  return ages
}
