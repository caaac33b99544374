import type { Entry, MessageEntry } from '@longhaul/engine/advanced'
import type { Place } from '../report/audit-report.ts'
import type { Spot } from './session/fact-table.ts'
import { splitMessage } from './session/segment.ts'

const EXCERPT_CHARS = 80

/** Places for people, from the numbers that the measure goes by. */
export function createPlaces(entries: readonly Entry[], spoken: readonly MessageEntry[]): (spot: Spot) => Place {
  const numbers = new Map(entries.filter(({ type }) => type === 'message').map(({ id }, index) => [id, index + 1]))
  return ({ message, segment, start }) => {
    const entry = spoken[message]
    if (entry === undefined) throw new Error(`The session has no message ${message}.`)
    const stretch = splitMessage(entry)[segment]
    return {
      entryId: entry.id,
      message: numbers.get(entry.id) ?? message + 1,
      at: entry.at === 0 ? null : entry.at,
      by: stretch?.by ?? entry.role,
      excerpt: stretch === undefined ? '' : cutExcerpt(stretch.text, start),
    }
  }
}

function cutExcerpt(text: string, start: number): string {
  const from = Math.max(0, start - EXCERPT_CHARS)
  const words = text.slice(from, start + 2 * EXCERPT_CHARS).replaceAll(/\s+/g, ' ')
  return `${from > 0 ? '…' : ''}${words.trim()}${start + 2 * EXCERPT_CHARS < text.length ? '…' : ''}`
}
