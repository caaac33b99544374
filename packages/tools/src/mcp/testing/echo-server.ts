// An MCP server over standard input and output, for the tests.
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'echo', version: '1.0.0' })
server.registerTool(
  'say',
  { description: 'says it again', inputSchema: z.object({ text: z.string() }) },
  ({ text }) => ({
    content: [{ type: 'text', text: `You said ${text}` }],
  }),
)
server.registerTool('fail', { description: 'fails', inputSchema: z.object({}) }, () => ({
  content: [{ type: 'text', text: 'It does not work.' }],
  isError: true,
}))
server.registerTool('end', { description: 'ends the server', inputSchema: z.object({}) }, () => process.exit())
await server.connect(new StdioServerTransport())
