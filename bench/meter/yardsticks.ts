import { estimateMessage } from '@longhaul/engine'
import type { Message } from '@longhaul/engine'

/** Ways to guess tokens from content alone. `estimate` is Longhaul's before it has learnt anything. */
export type Yardstick = 'estimate' | 'characters' | 'json'
export type Guesses = Readonly<Record<Yardstick, number>>

export const YARDSTICKS: readonly Yardstick[] = ['estimate', 'characters', 'json']

export function guessTokens(messages: readonly Message[]): Guesses {
  const sum = (guess: (message: Message) => number): number =>
    messages.reduce((tokens, message) => tokens + guess(message), 0)
  return {
    estimate: sum((message) => estimateMessage(message, 'classes')),
    characters: sum((message) => estimateMessage(message, 'plain')),
    json: sum(({ role, parts }) => JSON.stringify({ role, parts }).length / 4),
  }
}
