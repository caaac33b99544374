import type { LogLine } from '@longhaul/agent'
import { connectMcp } from '@longhaul/tools'
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
  close(): Promise<void>
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
}

/**
 * All at once, in the background. One that does not start is a warning, and tried again later; one that ends is started
 * again by the next use of a tool of it.
 */
export function startMcpServers(options: McpServersOptions): McpServers {
  const { servers, folder, log, timeoutMs = DEFAULT_TIMEOUT_MS, retryAfterMs = DEFAULT_RETRY_AFTER_MS } = options
  const stopping = new AbortController()
  const held = Object.entries(servers).map(([name, server]): Held => {
    const first = connect(name, server)
    return { name, server, first, latest: first, triedAt: performance.now(), tools: [] }
  })

  async function connect(name: string, server: McpServer): Promise<McpConnection | null> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)])
    try {
      return await connectMcp({ name, server, folder, signal })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!stopping.signal.aborted)
        log({ level: 'warn', event: 'mcp-failed', message: `MCP server ${name} is left out: ${reason}`, server: name })
      return null
    }
  }

  /** The connection there is, or a new one. */
  async function reach(one: Held, isDue: (one: Held) => boolean): Promise<McpConnection | null> {
    const before = one.latest
    const connection = await before
    if (connection?.isOpen() === true || stopping.signal.aborted) return connection
    // Somebody else may have started it meanwhile.
    if (one.latest === before && isDue(one)) {
      one.triedAt = performance.now()
      one.latest = connect(one.name, one.server)
    }
    return one.latest
  }

  const isLater = ({ triedAt }: Held): boolean => performance.now() - triedAt >= retryAfterMs

  async function offer(one: Held): Promise<readonly Tool[]> {
    await one.first
    const connection = await one.latest
    if (connection?.isOpen() === true) one.tools = connection.tools.map((tool) => withReach(one, tool))
    // Nobody waits for a second try.
    else void reach(one, isLater)
    return one.tools
  }

  function withReach(one: Held, tool: Tool): Tool {
    return {
      ...tool,
      async run(input, context) {
        const connection = await reach(one, () => true)
        const live = connection?.tools.find(({ name }) => name === tool.name)
        if (live === undefined) throw new Error(`The MCP server ${one.name} cannot be reached at the moment.`)
        return live.run(input, context)
      },
    }
  }

  return {
    tools: async () => (await Promise.all(held.map(offer))).flat(),
    async close() {
      stopping.abort()
      await Promise.allSettled(held.map(async ({ latest }) => (await latest)?.close()))
    },
  }
}
