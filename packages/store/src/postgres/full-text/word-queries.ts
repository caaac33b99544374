import type { Phrase } from '@longhaul/engine/advanced'
import { readQuery } from '@longhaul/engine/advanced'
import { MAX_PHRASE_WORDS } from './word-vectors.ts'

/** The literal forms of tsqueries, one for each phrase: words that stand next to each other. */
export function writeQueries(phrases: readonly Phrase[]): readonly string[] {
  return phrases.map((phrase) =>
    phrase
      .slice(0, MAX_PHRASE_WORDS)
      .map((word) => `'${word}'`)
      .join(' <-> '),
  )
}

/** Any of the phrases of a query; null if it holds no word. */
export function writeAnyQuery(query: string): string | null {
  const queries = writeQueries(readQuery(query))
  return queries.length === 0 ? null : joinQueries(queries)
}

export function joinQueries(queries: readonly string[]): string {
  return queries.map((query) => `(${query})`).join(' | ')
}
