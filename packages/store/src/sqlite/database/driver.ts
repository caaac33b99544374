import type { DatabaseSync } from 'node:sqlite'
import type * as NodeSqlite from 'node:sqlite'
import { openBunDatabase } from './bun-driver.ts'
import type { BunSqlite, DriverOptions } from './bun-driver.ts'

/** Opens a file with the SQLite that the runtime brings along: Node's, or Bun's where there is no other. */
export function openDriver(file: string, options: DriverOptions): DatabaseSync {
  const node = process.getBuiltinModule('node:sqlite') as typeof NodeSqlite | undefined
  if (node !== undefined) return new node.DatabaseSync(file, options)
  return openBunDatabase(process.getBuiltinModule('bun:sqlite') as unknown as BunSqlite, file, options)
}
