import { foldEntries, sliceHead } from '@longhaul/engine/advanced'
import type { Entry, Head, JsonObject, MessageEntry } from '@longhaul/engine/advanced'

export function foldHead(entries: readonly Entry[]): Head {
  return foldEntries(entries).head
}

export function titleOf(header: JsonObject, head: Head): string | null {
  const title = head.settings.title ?? header['title']
  return typeof title === 'string' && title !== '' ? toStorableText(title) : null
}

/** The title that these entries give a session; undefined where none of them names one: then it stays. */
export function findTitle(entries: readonly Entry[]): string | undefined {
  const named = entries.findLast((entry) => entry.type === 'settings' && entry.title !== undefined)
  return named?.type === 'settings' ? named.title : undefined
}

/** Never runs backwards, whatever times imported entries claim: lists go on by it. */
export function moveUpdatedAt(updatedAt: number, entries: readonly Entry[]): number {
  const at = Math.trunc(entries.at(-1)?.at ?? updatedAt)
  return Number.isSafeInteger(at) ? Math.max(updatedAt, at) : updatedAt
}

/** The start of the newest text in these entries; undefined where none of them has one: then the preview stays. */
export function findPreview(entries: readonly Entry[]): string | undefined {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index]
    if (entry?.type !== 'message' || entry.role === 'tool') continue
    const text = previewOf(entry)
    if (text !== '') return text
  }
  return undefined
}

const PREVIEW_CHARS = 200

function previewOf({ parts }: MessageEntry): string {
  const text = parts
    .flatMap((part) => (part.type === 'text' ? [sliceHead(part.text, PREVIEW_CHARS * 4)] : []))
    .join(' ')
  // A single space stays as it is: most are, and replacing each costs more than all the rest.
  const line = toStorableText(text)
    .replaceAll(/\s{2,}|[^\S ]/g, ' ')
    .trim()
  return sliceHead(line, PREVIEW_CHARS)
}

/** Plain text columns hold no NUL and no half characters: PostgreSQL refuses both. JSON columns escape them by themselves. */
export function toStorableText(text: string): string {
  return text.replaceAll('\u0000', ' ').toWellFormed()
}
