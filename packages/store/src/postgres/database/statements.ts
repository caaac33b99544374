import type { PoolClient, QueryResult } from 'pg'
import { DriverError } from './driver-error.ts'
import type { PreparedStatement } from './prepared-statement.ts'

/** The rows of a statement. Its values are numbered from `$1`. */
export type Query = <Row extends object>(
  statement: string | PreparedStatement,
  values?: readonly unknown[],
) => Promise<readonly Row[]>

/** How many rows a statement has written or deleted. */
export type Change = (statement: string | PreparedStatement, values?: readonly unknown[]) => Promise<number>

/** What can be run on one connection. Rejects with a `DriverError`. */
export interface Statements {
  readonly query: Query
  readonly change: Change
}

export function createStatements(client: PoolClient, prepares: { readonly isAllowed: boolean }): Statements {
  const run = async <Row extends object>(
    statement: string | PreparedStatement,
    values: readonly unknown[],
  ): Promise<QueryResult<Row>> => {
    try {
      if (typeof statement === 'string') return await client.query<Row>(statement, [...values])
      if (!prepares.isAllowed) return await client.query<Row>(statement.text, [...values])
      // The driver copies a statement's own properties, which costs more than running it: name and text are inherited.
      return await client.query<Row>(
        Object.assign(Object.create(statement) as PreparedStatement, { values: [...values] }),
      )
    } catch (error) {
      throw new DriverError(error)
    }
  }
  return {
    query: async <Row extends object>(statement: string | PreparedStatement, values: readonly unknown[] = []) =>
      (await run<Row>(statement, values)).rows,
    change: async (statement, values = []) => (await run(statement, values)).rowCount ?? 0,
  }
}
