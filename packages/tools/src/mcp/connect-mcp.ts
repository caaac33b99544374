import type { ContentPart } from '@longhaul/engine/advanced'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import type { Tool, ToolOutcome } from '../port/tool.ts'
import { createLimitedFetch } from './limit-body.ts'
import { readToolList } from './read-tool-list.ts'
import type { ListedTool } from './read-tool-list.ts'

/** A server as the configuration names it: a program to start, or an address. */
export type McpServer =
  | { readonly command: string; readonly args?: readonly string[]; readonly env?: Readonly<Record<string, string>> }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }

export interface McpConnection {
  readonly tools: readonly Tool[]
  /** What of its tools could not be taken, in words for the owner. */
  readonly problems: readonly string[]
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
    const { tools: listed, problems } = await readToolList(client, signal)
    const named = nameTools(name, listed)
    const doubles = listed.length - named.length
    return {
      tools: named.map((tool) => createTool(client, name, tool)),
      problems: doubles === 0 ? problems : [...problems, `${doubles} of its tools have the name of another one`],
      isOpen: () => isOpen,
      close: () => client.close(),
    }
  } catch (error) {
    await client.close()
    throw error
  }
}

/** A server that sends a longer message is disconnected: images included, no answer of a tool comes near it. */
const MAX_MESSAGE_BYTES = 10_000_000

function createTransport(server: McpServer, folder: string): StdioClientTransport | StreamableHTTPClientTransport {
  if ('url' in server) {
    return new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { ...server.headers } },
      fetch: createLimitedFetch(MAX_MESSAGE_BYTES),
    })
  }
  const { command, args = [], env } = server
  return new StdioClientTransport({
    command,
    args: [...args],
    cwd: folder,
    stderr: 'ignore',
    maxBufferSize: MAX_MESSAGE_BYTES,
    ...(env ? { env } : {}),
  })
}

interface NamedTool extends ListedTool {
  /** What the model calls it. */
  readonly toolName: string
}

/** Of several tools that come to one name, the first is the one. */
function nameTools(server: string, listed: readonly ListedTool[]): readonly NamedTool[] {
  const byName = new Map<string, NamedTool>()
  for (const tool of listed) {
    const toolName = toToolName(`${server}_${tool.name}`)
    if (!byName.has(toolName)) byName.set(toolName, { ...tool, toolName })
  }
  return [...byName.values()]
}

function createTool(client: Client, server: string, { toolName, name, description, inputSchema }: NamedTool): Tool {
  return {
    name: toolName,
    description: description === '' ? `${toToolName(name)} of ${server}` : description,
    inputSchema,
    origin: { kind: 'mcp', server },
    permit: () => ({ verdict: 'ask', reason: `Use ${toToolName(name)} of the MCP server ${server}?` }),
    async run(input, { signal }) {
      // With a definition of our own the client neither lists the tools again nor compiles a schema of the server.
      const toolDefinition = { name, inputSchema: { ...inputSchema, type: 'object' as const } }
      const result = await client.callTool({ name, arguments: { ...input } }, { signal, toolDefinition })
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
