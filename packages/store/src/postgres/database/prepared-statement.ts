import { createHash } from 'node:crypto'

/** A statement that a connection plans once and then runs by its name. For what runs often and is always planned the same. */
export interface PreparedStatement {
  readonly text: string
  readonly name: string
}

/**
 * The name comes from the text: a pooler that hands a connection to somebody else with its statements still on it can
 * then only offer the same statement under the same name.
 */
export function prepareStatement(sql: string): PreparedStatement {
  return { text: sql, name: `longhaul_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}` }
}
