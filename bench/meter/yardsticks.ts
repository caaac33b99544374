import { estimateMessage } from '@longhaul/engine/advanced'
import type { Message, Part } from '@longhaul/engine/advanced'
import { loadCountTokens } from '@longhaul/models/prices'

/** Ways to guess tokens from content alone. `estimate` is Longhaul's before it has learnt anything. */
export type Yardstick = 'estimate' | 'characters' | 'json' | 'o200k'
export type Guesses = Readonly<Record<Yardstick, number>>

export const YARDSTICKS: readonly Yardstick[] = ['estimate', 'characters', 'json', 'o200k']

const countO200k = await loadCountTokens()

export function guessTokens(messages: readonly Message[]): Guesses {
  const sum = (guess: (message: Message) => number): number =>
    messages.reduce((tokens, message) => tokens + guess(message), 0)
  return {
    estimate: sum((message) => estimateMessage(message, 'classes')),
    characters: sum((message) => estimateMessage(message, 'plain')),
    json: sum(({ role, parts }) => JSON.stringify({ role, parts }).length / 4),
    o200k: sum(({ parts }) => parts.flatMap(textsOf).reduce((tokens, text) => tokens + countO200k(text), 0)),
  }
}

/** The bills of these sessions hold no images and files. */
function textsOf(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [part.text]
    case 'tool-call':
      return [part.toolName, JSON.stringify(part.input)]
    case 'tool-result':
      return typeof part.output === 'string' ? [part.output] : part.output.flatMap(textsOf)
    case 'image':
    case 'file':
      return []
    default:
      return part satisfies never
  }
}
