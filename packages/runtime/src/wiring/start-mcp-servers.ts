import type { LogLine } from '@longhaul/agent'
import { connectMcp, digestTool } from '@longhaul/tools'
import type { McpConnection, McpServer } from '@longhaul/tools'
import type { Tool } from '@longhaul/tools/port'

export interface McpServersOptions {
  readonly servers: Readonly<Record<string, McpServer>>
  readonly folder: string
  readonly log: (line: LogLine) => void
  readonly timeoutMs?: number
  readonly retryAfterMs?: number
}

export interface McpServers {
  /** Of all servers that could be reached. Waits for those that start for the first time, never longer than the time-out. */
  tools(): Promise<readonly Tool[]>
  /** How each server is, once those that start for the first time have started or failed. */
  check(): Promise<readonly McpState[]>
  close(): Promise<void>
}

interface McpState {
  readonly server: string
  readonly tools: readonly Tool[]
  /** In words for the owner: it cannot be reached, or some of its tools cannot be taken. */
  readonly problems: readonly string[]
}

/** Others' programs start slowly; a session waits this long for them once, then does without. */
const DEFAULT_TIMEOUT_MS = 15_000
/** One that did not start is tried again, but not for every session. */
const DEFAULT_RETRY_AFTER_MS = 60_000

interface Held {
  readonly name: string
  readonly server: McpServer
  readonly first: Promise<McpConnection | null>
  /** The newest attempt. */
  latest: Promise<McpConnection | null>
  triedAt: number
  /** As they were last offered: they stay, so that a server that ends for a while changes nobody's prompt. */
  tools: readonly Tool[]
  /** The connection that `tools` came from. */
  from: McpConnection | null
  problems: readonly string[]
}

/**
 * All at once, in the background. One that does not start is a warning, and tried again later; one that ends is started
 * again by the next use of a tool of it.
 */
export function startMcpServers(options: McpServersOptions): McpServers {
  const { servers, folder, log, timeoutMs = DEFAULT_TIMEOUT_MS, retryAfterMs = DEFAULT_RETRY_AFTER_MS } = options
  const stopping = new AbortController()
  const connect = (one: Held): Promise<McpConnection | null> =>
    connectServer(one, { folder, log, timeoutMs, stopping: stopping.signal })
  const held = Object.entries(servers).map(([name, server]): Held => {
    const { promise: first, resolve } = Promise.withResolvers<McpConnection | null>()
    const one: Held = {
      name,
      server,
      first,
      latest: first,
      triedAt: performance.now(),
      tools: [],
      from: null,
      problems: [],
    }
    resolve(connect(one))
    return one
  })

  /** The connection there is, or a new one. */
  async function reach(one: Held, isDue: (one: Held) => boolean): Promise<McpConnection | null> {
    const before = one.latest
    const connection = await before
    if (connection?.isOpen() === true || stopping.signal.aborted) return connection
    // Somebody else may have started it meanwhile.
    if (one.latest === before && isDue(one)) {
      one.triedAt = performance.now()
      one.latest = connect(one)
    }
    return one.latest
  }

  const isLater = ({ triedAt }: Held): boolean => performance.now() - triedAt >= retryAfterMs

  async function offer(one: Held): Promise<readonly Tool[]> {
    await one.first
    const connection = await one.latest
    if (connection?.isOpen() !== true) {
      // Nobody waits for a second try.
      void reach(one, isLater)
    } else if (one.from !== connection) {
      one.from = connection
      one.tools = connection.tools.map((tool) => withReach(one.name, tool, () => reach(one, () => true)))
    }
    return one.tools
  }

  return {
    tools: async () => (await Promise.all(held.map(offer))).flat(),
    check: () =>
      Promise.all(held.map(async (one) => ({ server: one.name, tools: await offer(one), problems: one.problems }))),
    async close() {
      stopping.abort()
      await Promise.allSettled(held.map(async ({ latest }) => (await latest)?.close()))
    },
  }
}

interface ConnectOptions {
  readonly folder: string
  readonly log: (line: LogLine) => void
  readonly timeoutMs: number
  readonly stopping: AbortSignal
}

/** null: it could not be reached, which the log tells. */
async function connectServer(
  one: Held,
  { folder, log, timeoutMs, stopping }: ConnectOptions,
): Promise<McpConnection | null> {
  const { name, server } = one
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
  const warn = (event: string, message: string): void => {
    if (!stopping.aborted) log({ level: 'warn', event, message, server: name })
  }
  try {
    const connection = await connectMcp({ name, server, folder, signal })
    one.problems = connection.problems
    for (const problem of connection.problems) warn('mcp-incomplete', `MCP server ${name}: ${problem}.`)
    return connection
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    one.problems = [`it is left out: ${reason}`]
    warn('mcp-failed', `MCP server ${name} is left out: ${reason}`)
    return null
  }
}

/** A tool that finds its server again where that has ended meanwhile. */
function withReach(server: string, tool: Tool, reach: () => Promise<McpConnection | null>): Tool {
  return {
    ...tool,
    async run(input, context) {
      const live = (await reach())?.tools.find(({ name }) => name === tool.name)
      if (live === undefined) throw new Error(`The MCP server ${server} cannot be reached at the moment.`)
      // What was offered, and perhaps allowed by a person, is not what would run.
      if (digestTool(live) !== digestTool(tool))
        throw new Error(`${tool.name} has another description or schema since its server started anew. Not run.`)
      return live.run(input, context)
    },
  }
}
