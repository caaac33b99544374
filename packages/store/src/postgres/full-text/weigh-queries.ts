import type { Database } from '../database/database.ts'
import { joinQueries } from './word-queries.ts'

/** Where to look: a table with a column `words`, and conditions on it whose values are numbered from `$1`. */
export interface WordTable {
  readonly table: string
  readonly where: string
  readonly values: readonly unknown[]
}

export interface WeighedQueries {
  /** Rows that hold one of these are worth a look. */
  readonly any: string
  readonly queries: readonly string[]
  readonly weights: readonly number[]
}

/** Counting ends here. What stands in more rows than this says little. */
const MAX_COUNT = 1_000

/**
 * Rare phrases weigh more than common ones, which PostgreSQL's own ranking does not know: without it, "the" counts as
 * much as the name that was asked for. Common phrases alone bring no row to look at if there is a rare one besides.
 * null if nothing is found.
 */
export async function weighQueries(
  { read }: Database,
  { table, where, values }: WordTable,
  queries: readonly string[],
): Promise<WeighedQueries | null> {
  if (queries.length === 0) return null
  const listed = `$${values.length + 1}::text[]`
  const rows = await read<{ found: number; total: number }>(
    `select
      (select count(*) from (
        select from ${table} where words @@ listed.query::tsquery and ${where} limit ${MAX_COUNT}
      ) counted) as found,
      (select count(*) from (select from ${table} where ${where} limit ${MAX_COUNT}) counted) as total
    from unnest(${listed}) with ordinality listed (query, place)
    order by listed.place`,
    [...values, queries],
  )
  const found = queries.flatMap((query, index) => {
    const { found: count = 0, total = 0 } = rows[index] ?? {}
    return count === 0 ? [] : [{ query, count, weight: Math.log(1 + (total - count + 0.5) / (count + 0.5)) }]
  })
  if (found.length === 0) return null
  const rare = found.filter(({ count }) => count < MAX_COUNT)
  return {
    any: joinQueries((rare.length === 0 ? found : rare).map(({ query }) => query)),
    queries: found.map(({ query }) => query),
    weights: found.map(({ weight }) => weight),
  }
}
