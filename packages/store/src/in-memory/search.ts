import type { Phrase } from '@longhaul/engine/advanced'
import {
  isSearchable,
  makeSnippet,
  rankByWords,
  readQuery,
  searchableText,
  splitWords,
} from '@longhaul/engine/advanced'
import type { Search, SearchHit } from '../port/search.ts'
import { clampLimit } from '../records/page.ts'
import { contentOf } from './data.ts'
import type { Data, SessionRow } from './data.ts'
import { readEntryAt } from './entries.ts'

export function createInMemorySearch(data: Data): Search {
  return {
    async search({ query, sessionId, before = Infinity, limit }) {
      const phrases = readQuery(query)
      const texts = [...contentOf(data).sessions.values()]
        .filter(({ id, deletedAt }) => (sessionId === undefined ? deletedAt === null : id === sessionId))
        .flatMap((session) => [...session.words].map(([seq, words]) => ({ session, seq, words })))
        .filter(({ seq }) => seq < before)
      return rankByWords(texts, phrases)
        .slice(0, clampLimit(limit))
        .flatMap(({ session, seq, score }) => createHit(session, seq, score, phrases) ?? [])
    },
    async rebuild(signal) {
      signal?.throwIfAborted()
      let messages = 0
      for (const session of contentOf(data).sessions.values()) {
        session.words.clear()
        for (let seq = 1; seq <= session.entryTexts.length; seq += 1) {
          const entry = readEntryAt(session, seq)
          if (isSearchable(entry)) session.words.set(seq, splitWords(searchableText(entry)))
        }
        messages += session.words.size
      }
      return messages
    },
  }
}

function createHit(session: SessionRow, seq: number, score: number, phrases: readonly Phrase[]): SearchHit | null {
  const entry = readEntryAt(session, seq)
  if (entry.type !== 'message') return null
  const { id: entryId, at, role } = entry
  return { sessionId: session.id, entryId, seq, at, role, snippet: makeSnippet(searchableText(entry), phrases), score }
}
