import type { JsonObject } from '@longhaul/engine/advanced'
import type { Client } from '@modelcontextprotocol/client'

/** A tool as a server lists it, read as data: names and descriptions are somebody else's text. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

export interface ToolList {
  readonly tools: readonly ListedTool[]
  /** Why something of the list is missing, in words for the owner; empty: nothing is. */
  readonly problems: readonly string[]
}

/** What is read from one server at most, so that no server can fill the memory or keep a session waiting. */
const MAX_PAGES = 100
const MAX_TOOLS = 5_000
const MAX_CHARS = 4_000_000
/** Schemas of real tools are a few levels deep; much deeper ones would break whatever walks through them. */
const MAX_SCHEMA_DEPTH = 64

/** Longer descriptions are cut to this, with a note: a model needs their head, and every request pays for the rest. */
const MAX_DESCRIPTION_CHARS = 8_000
/** Of a longer description too little would be left for the tool to be usable: it stays whole, and does not fit. */
const MAX_CUT_DESCRIPTION_CHARS = 40_000

/** Page by page, until the list ends or a bound is reached. What was read before a bound is used. */
export async function readToolList(client: Client, signal: AbortSignal | undefined): Promise<ToolList> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], problems: [] }
  const tools: ListedTool[] = []
  const problems = new Set<string>()
  const cursors = new Set<string>()
  let chars = 0
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { params: { cursor } }
    const listed = await client.request({ method: 'tools/list', ...params }, signal === undefined ? {} : { signal })
    for (const offered of listed.tools) {
      const tool = readTool(offered)
      if (tool === null) {
        problems.add('some of its tools have no name, or a schema that is nested too deep')
        continue
      }
      chars += tool.description.length + JSON.stringify(tool.inputSchema).length
      if (tools.length >= MAX_TOOLS) return stop(`after ${MAX_TOOLS} tools`)
      if (chars > MAX_CHARS) return stop(`after ${MAX_CHARS} characters`)
      tools.push(tool)
    }
    cursor = listed.nextCursor
    if (cursor === undefined) return { tools, problems: [...problems] }
    if (cursors.has(cursor)) return stop('because it began again')
    cursors.add(cursor)
  }
  return stop(`after ${MAX_PAGES} pages`)

  function stop(where: string): ToolList {
    return { tools, problems: [...problems, `its list of tools is longer than what is read: reading stopped ${where}`] }
  }
}

interface Offered {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: unknown
}

function readTool({ name, description, inputSchema }: Offered): ListedTool | null {
  if (name.trim() === '' || isDeeperThan(inputSchema, MAX_SCHEMA_DEPTH)) return null
  const schema = JSON.parse(JSON.stringify(inputSchema)) as JsonObject
  return { name, description: shorten(description ?? ''), inputSchema: schema }
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1))
}

function shorten(description: string): string {
  const { length } = description
  if (length <= MAX_DESCRIPTION_CHARS || length > MAX_CUT_DESCRIPTION_CHARS) return description
  const head = description.slice(0, MAX_DESCRIPTION_CHARS).toWellFormed()
  return `${head}\n[${length - MAX_DESCRIPTION_CHARS} more characters of this description are left out]`
}
