import type { LogLine } from '@longhaul/agent'
import { connectMcp } from '@longhaul/tools'
import type { McpConnection, McpServer } from '@longhaul/tools'
import type { Tool } from '@longhaul/tools/port'

export interface McpServersOptions {
  readonly servers: Readonly<Record<string, McpServer>>
  readonly folder: string
  readonly log: (line: LogLine) => void
  readonly timeoutMs?: number
}

export interface McpServers {
  /** Of all servers that could be reached. Waits for those still starting, never longer than the time-out. */
  tools(): Promise<readonly Tool[]>
  close(): Promise<void>
}

/** Others' programs start slowly; a session waits this long for them once, then does without. */
const DEFAULT_TIMEOUT_MS = 15_000

/** All at once, in the background. One that does not start is a warning; the others are used. */
export function startMcpServers({
  servers,
  folder,
  log,
  timeoutMs = DEFAULT_TIMEOUT_MS,
}: McpServersOptions): McpServers {
  const stopping = new AbortController()

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

  const connecting = Promise.all(Object.entries(servers).map(([name, server]) => connect(name, server)))

  return {
    tools: async () => (await connecting).flatMap((connection) => connection?.tools ?? []),
    async close() {
      stopping.abort()
      const connections = (await connecting).filter((connection) => connection !== null)
      await Promise.allSettled(connections.map((connection) => connection.close()))
    },
  }
}
