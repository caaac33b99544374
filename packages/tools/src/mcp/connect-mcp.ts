import type { ContentPart, JsonObject } from '@longhaul/engine/advanced'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import type { Tool, ToolOutcome } from '../port/tool.ts'

/** A server as the configuration names it: a program to start, or an address. */
export type McpServer =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

export interface McpConnection {
  readonly tools: readonly Tool[]
  /** False once the server has ended or the way to it is lost. */
  isOpen(): boolean
  close(): Promise<void>
}

export interface McpOptions {
  /** Names the server; its tools are called `name_tool`. */
  readonly name: string
  readonly server: McpServer
  readonly folder: string
  readonly signal?: AbortSignal
}

/** Starts or reaches a server and offers its tools. They are others' programs: each use is asked for unless allowed. */
export async function connectMcp({ name, server, folder, signal }: McpOptions): Promise<McpConnection> {
  const client = new Client({ name: 'longhaul', version: '0.1.0' })
  let isOpen = true
  Object.assign(client, { onclose: () => void (isOpen = false) } satisfies Pick<Client, 'onclose'>)
  await client.connect(createTransport(server, folder), signal === undefined ? {} : { signal })
  try {
    const { tools } = await client.listTools(undefined, signal === undefined ? {} : { signal })
    return {
      tools: tools.map((offered) => createTool(client, name, offered)),
      isOpen: () => isOpen,
      close: () => client.close(),
    }
  } catch (error) {
    await client.close()
    throw error
  }
}

function createTransport(server: McpServer, folder: string): StdioClientTransport | StreamableHTTPClientTransport {
  if ('url' in server) {
    return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: { ...server.headers } } })
  }
  const { command, args = [], env } = server
  return new StdioClientTransport({ command, args: [...args], cwd: folder, stderr: 'ignore', ...(env ? { env } : {}) })
}

interface Offered {
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema: unknown
}

function createTool(client: Client, server: string, offered: Offered): Tool {
  return {
    name: toToolName(`${server}_${offered.name}`),
    description: offered.description ?? `${offered.name} of ${server}`,
    inputSchema: JSON.parse(JSON.stringify(offered.inputSchema)) as JsonObject,
    permit: () => ({ verdict: 'ask', reason: `Use ${offered.name} of the MCP server ${server}?` }),
    async run(input, { signal }) {
      const result = await client.callTool({ name: offered.name, arguments: { ...input } }, { signal })
      return readResult(result)
    },
  }
}

/** What every provider accepts as the name of a tool. */
function toToolName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)
}

const textContent = z.object({ type: z.literal('text'), text: z.string() })
const imageContent = z.object({ type: z.literal('image'), data: z.string(), mimeType: z.string().optional() })
const resourceContent = z.object({ type: z.literal('resource'), resource: z.object({ text: z.string() }) })

/** What came from the server is read as data, whatever it claims to be. */
const callResult = z.object({
  content: z.array(z.unknown()).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
})

function readResult(value: unknown): ToolOutcome {
  const { content = [], structuredContent, isError } = callResult.parse(value)
  const parts = content.map(readContent)
  const output = parts.length > 0 || structuredContent === undefined ? parts : JSON.stringify(structuredContent)
  return { output, ...(isError === true ? { isError } : {}) }
}

function readContent(value: unknown): ContentPart {
  const text = textContent.safeParse(value)
  if (text.success) return { type: 'text', text: text.data.text }
  const image = imageContent.safeParse(value)
  if (image.success) {
    const { data, mimeType } = image.data
    return { type: 'image', image: data, ...(mimeType === undefined ? {} : { mediaType: mimeType }) }
  }
  const resource = resourceContent.safeParse(value)
  return { type: 'text', text: resource.success ? resource.data.resource.text : JSON.stringify(value) }
}
