import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { LogLine } from '@longhaul/agent'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startMcpServers } from './start-mcp-servers.ts'

const echo = fileURLToPath(new URL('mcp/testing/echo-server.ts', import.meta.resolve('@longhaul/tools')))

describe('startMcpServers', () => {
  it('offers the tools of those that start, and warns of those that do not', async () => {
    const lines: LogLine[] = []
    const servers = startMcpServers({
      servers: {
        gone: { command: '/no/such/program' },
        echo: { command: process.execPath, args: [echo] },
        away: { url: 'http://127.0.0.1:9/mcp' },
      },
      folder: tmpdir(),
      log: (line) => void lines.push(line),
    })
    expect((await servers.tools()).map(({ name }) => name)).toStrictEqual(['echo_say', 'echo_fail', 'echo_end'])
    expect(lines.map(({ level, server }) => `${level} ${String(server)}`).toSorted()).toStrictEqual([
      'warn away',
      'warn gone',
    ])
    await servers.close()
  })

  it('starts one again that has ended, by the next use of a tool of it', async () => {
    const servers = startMcpServers({
      servers: { echo: { command: process.execPath, args: [echo] } },
      folder: tmpdir(),
      log: () => undefined,
    })
    const context = { sessionId: 's', toolCallId: 'c', signal: new AbortController().signal }
    const find = async (wanted: string) => (await servers.tools()).find(({ name }) => name === wanted)
    const [say, end] = [await find('echo_say'), await find('echo_end')]
    await expect(end?.run({}, context)).rejects.toThrow('closed')
    expect(await say?.run({ text: 'hello' }, context)).toEqual({ output: [{ type: 'text', text: 'You said hello' }] })
    expect((await servers.tools()).map(({ name }) => name)).toContain('echo_say')
    await servers.close()
  })

  it('tries one again that did not start, and offers its tools from then on', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-mcp-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const failed = Promise.withResolvers<void>()
    const servers = startMcpServers({
      servers: { echo: { command: process.execPath, args: ['late.ts'] } },
      folder,
      log: () => failed.resolve(),
      retryAfterMs: 0,
    })
    expect(await servers.tools()).toStrictEqual([])
    await failed.promise
    await writeFile(join(folder, 'late.ts'), `import ${JSON.stringify(pathToFileURL(echo).href)}`)
    await vi.waitUntil(async () => (await servers.tools()).length > 0, { timeout: 10_000 })
    await servers.close()
  })

  it('waits no longer than the time-out for one that says nothing', async () => {
    const lines: LogLine[] = []
    const servers = startMcpServers({
      servers: { silent: { command: process.execPath, args: ['-e', 'process.stdin.resume()'] } },
      folder: tmpdir(),
      log: (line) => void lines.push(line),
      timeoutMs: 100,
    })
    expect(await servers.tools()).toStrictEqual([])
    expect(lines).toMatchObject([{ level: 'warn', event: 'mcp-failed', server: 'silent' }])
    await servers.close()
  })

  it('ends those that are still starting when it is closed, without a word', async () => {
    const lines: LogLine[] = []
    const door = createServer()
    const { port } = await new Promise<AddressInfo>((resolve) =>
      door.listen(0, '127.0.0.1', () => resolve(door.address() as AddressInfo)),
    )
    const script = `require('net').connect(${port}, '127.0.0.1'); process.stdin.resume()`
    const servers = startMcpServers({
      servers: { silent: { command: process.execPath, args: ['-e', script] } },
      folder: tmpdir(),
      log: (line) => void lines.push(line),
    })
    const [socket] = (await once(door, 'connection')) as [Socket]
    socket.resume().on('error', () => undefined)
    const ended = once(socket, 'close')
    await servers.close()
    await ended
    expect(lines).toStrictEqual([])
    door.close()
  })
})
