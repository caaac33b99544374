import type { Phrase } from '@longhaul/engine/advanced'
import { makeSnippet, readQuery, searchableText } from '@longhaul/engine/advanced'
import type { Search, SearchHit, SearchQuery } from '../port/search.ts'
import { parseEntry } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import type { Database } from './database/database.ts'
import { toKey, toWhole } from './database/keys.ts'
import { weighQueries } from './full-text/weigh-queries.ts'
import { writeQueries } from './full-text/word-queries.ts'
import type { WordIndex } from './full-text/word-index.ts'

export function createPostgresSearch(database: Database, wordIndex: WordIndex): Search {
  return {
    async search(query) {
      const phrases = readQuery(query.query)
      if (phrases.length === 0) return []
      await wordIndex.catchUp(query.sessionId)
      const rows = await findMessages(database, query, writeQueries(phrases))
      return rows.flatMap((row) => createHit(row, phrases) ?? [])
    },
    rebuild: (signal) => rebuild(database, wordIndex, signal),
  }
}

interface FoundRow {
  readonly session_id: string
  readonly seq: number
  readonly body: string
  readonly score: number
}

/** A message is as good as the best stretch of it. */
async function findMessages(
  database: Database,
  { sessionId, before = Infinity, limit }: SearchQuery,
  queries: readonly string[],
): Promise<readonly FoundRow[]> {
  const { tables, read } = database
  const values = sessionId === undefined ? [toWhole(before)] : [toWhole(before), toKey(sessionId)]
  const where = sessionId === undefined ? 'seq < $1' : 'seq < $1 and session_id = $2'
  const weighed = await weighQueries(database, { table: tables.message_words, where, values }, queries)
  if (weighed === null) return []
  const [any, list, weights] = [values.length + 1, values.length + 2, values.length + 3]
  const shown = `session_id in (select id from ${tables.sessions} where deleted_at is null)`
  return read<FoundRow>(
    `with found as (
      select session_id, seq, max((
        select sum(weight * ts_rank(words, query::tsquery, 1))
        from unnest($${list}::text[], $${weights}::float8[]) weighed (query, weight)
      )) as score
      from ${tables.message_words}
      where words @@ $${any}::tsquery and ${where} and ${sessionId === undefined ? shown : 'true'}
      group by session_id, seq
    )
    select found.session_id, found.seq, found.score, e.body
    from found join ${tables.entries} e on e.session_id = found.session_id and e.seq = found.seq
    order by found.score desc, e.at desc, found.session_id, found.seq limit ${clampLimit(limit)}`,
    [...values, weighed.any, weighed.queries, weighed.weights],
  )
}

function createHit({ session_id, seq, body, score }: FoundRow, phrases: readonly Phrase[]): SearchHit | null {
  const entry = parseEntry(body, session_id, seq)
  if (entry.type !== 'message') return null
  const { id: entryId, at, role } = entry
  return { sessionId: session_id, entryId, seq, at, role, snippet: makeSnippet(searchableText(entry), phrases), score }
}

/** One session after another; what is left in the index of those that are gone goes last. */
async function rebuild({ tables, read, write }: Database, wordIndex: WordIndex, signal?: AbortSignal): Promise<number> {
  let messages = 0
  let after = ''
  for (;;) {
    signal?.throwIfAborted()
    const [next] = await read<{ id: string }>(`select id from ${tables.sessions} where id > $1 order by id limit 1`, [
      after,
    ])
    if (next === undefined) break
    messages += await wordIndex.rebuild(next.id)
    after = next.id
  }
  await write(
    `delete from ${tables.message_words} w where not exists (select from ${tables.sessions} s where s.id = w.session_id)`,
  )
  return messages
}
