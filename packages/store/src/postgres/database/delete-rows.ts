import type { Query } from './connections.ts'

/** Returns how many. */
export async function deleteRows(
  query: Query,
  table: string,
  where: string,
  values: readonly unknown[],
): Promise<number> {
  const [row] = await query<{ deleted: number }>(
    `with gone as (delete from ${table} where ${where} returning 1) select count(*) as deleted from gone`,
    values,
  )
  return row?.deleted ?? 0
}
