import { isSearchable, searchableText } from '../search/message-text.ts'
import { rankByWords } from '../search/rank-by-words.ts'
import { readQuery } from '../search/read-query.ts'
import { makeSnippet } from '../search/snippet.ts'
import { splitWords } from '../search/split-words.ts'
import type { Entry, MessageEntry } from '../transcript/entry.ts'
import type { Role } from '../transcript/message.ts'

/** A message that is stored but not in the context. */
export interface RecallHit {
  readonly id: string
  readonly seq: number
  readonly role: Role
  readonly at: number
  /** The words around the best place, on one line. */
  readonly excerpt: string
  /** All of it. */
  readonly text: string
}

interface SearchOptions {
  /** Only messages before this place of the log: the rest is in the context. */
  readonly beforeSeq: number
  readonly limit: number
}

/** Finds messages in your log. */
export type Search = (query: string, options: SearchOptions) => Promise<readonly RecallHit[]>

/** A search by words over entries in memory; words of an entry are split once. */
export function createWordSearch(entries: () => readonly Entry[]): Search {
  const known = new WeakMap<MessageEntry, readonly string[]>()
  return async (query, { beforeSeq, limit }) => {
    const phrases = readQuery(query)
    const texts = entries().flatMap((entry) => {
      if (entry.seq >= beforeSeq || !isSearchable(entry)) return []
      const words = known.get(entry) ?? splitWords(searchableText(entry))
      known.set(entry, words)
      return [{ entry, words }]
    })
    return rankByWords(texts, phrases)
      .slice(0, limit)
      .map(({ entry: { id, seq, role, at }, entry }) => {
        const text = searchableText(entry)
        return { id, seq, role, at, excerpt: makeSnippet(text, phrases), text }
      })
  }
}
