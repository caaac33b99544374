import type { Part } from '@longhaul/engine/advanced'

/** What was said in so many words: without calls, reasoning and media. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}
