import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectMcp } from './connect-mcp.ts'
import type { McpConnection } from './connect-mcp.ts'

let connection: McpConnection

beforeAll(async () => {
  const program = fileURLToPath(new URL('testing/echo-server.ts', import.meta.url))
  connection = await connectMcp({
    name: 'echo',
    server: { command: process.execPath, args: [program] },
    folder: process.cwd(),
  })
})
afterAll(() => connection.close())

const context = { sessionId: 's', toolCallId: 'c', signal: new AbortController().signal }

it('offers the tools of a server under its name, and asks before each use', async () => {
  expect(connection.tools.map(({ name }) => name)).toEqual(['echo_say', 'echo_fail', 'echo_end'])
  const [say] = connection.tools
  expect(say?.inputSchema).toMatchObject({ type: 'object', properties: { text: { type: 'string' } } })
  expect(await say?.permit({})).toMatchObject({ verdict: 'ask' })
})

it('calls them, errors included', async () => {
  const [say, fail] = connection.tools
  expect(await say?.run({ text: 'hello' }, context)).toEqual({ output: [{ type: 'text', text: 'You said hello' }] })
  expect(await fail?.run({}, context)).toMatchObject({ isError: true })
})

it('a server that cannot be started is an error that says so', async () => {
  const missing = { command: 'longhaul-no-such-program' }
  await expect(connectMcp({ name: 'x', server: missing, folder: process.cwd() })).rejects.toThrow('ENOENT')
})
