import { createHash } from 'node:crypto'
import type { Tool } from '../port/tool.ts'

type Definition = Pick<Tool, 'name' | 'description' | 'inputSchema' | 'origin'>

/** The same for the same server, name, description and schema. The order of keys does not count: some servers shuffle it. */
export function digestTool({ name, description, inputSchema, origin }: Definition): string {
  const text = JSON.stringify(sortKeys([origin ?? null, name, description, inputSchema]))
  return createHash('sha256').update(text).digest('hex')
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}
