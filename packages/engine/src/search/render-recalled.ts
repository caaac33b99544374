import { neutralize } from '../messages/neutralize.ts'
import { renderParts } from '../messages/render-text.ts'
import type { MessageEntry } from '../transcript/entry.ts'

const MAX_MESSAGE_CHARS = 4_000

/** An old message as `recall` shows it: a heading that says whose it is, then its words, around what was asked for. */
export function renderRecalled(entry: MessageEntry, query: string): string {
  const text = renderParts(entry.parts)
  const start = text.length <= MAX_MESSAGE_CHARS ? 0 : findStart(text, query)
  const end = start + MAX_MESSAGE_CHARS
  const cut = `${start > 0 ? '[… cut] ' : ''}${neutralize(text.slice(start, end).toWellFormed())}${end < text.length ? ' [… cut]' : ''}`
  return `[message ${entry.id}, ${entry.role}, ${new Date(entry.at).toISOString()}]\n${cut}`
}

/**
 * The messages of the user that `recall` claims to show. Only a claim: a page may hold such a heading too. What stands
 * below one is nobody's word until the transcript says the same.
 */
export function listClaimedIds(recalled: string): readonly string[] {
  return Array.from(recalled.matchAll(/^\[message (.+), user, [^,\]]+\]$/gm), ([, id = '']) => id)
}

/** A long message is shown around the place where most words of the query stand together. */
function findStart(text: string, query: string): number {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  const lower = text.toLowerCase()
  let best = { start: 0, found: 0 }
  for (let start = 0; start < text.length; start += MAX_MESSAGE_CHARS / 2) {
    const page = lower.slice(start, start + MAX_MESSAGE_CHARS)
    const found = words.filter((word) => page.includes(word)).length
    if (found > best.found) best = { start, found }
  }
  return best.start
}
