import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createHttpGetTool } from './http-get.ts'
import type { HttpGetOptions } from './http-get.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function get(url: string, options: HttpGetOptions = {}): Promise<unknown> {
  const tool = createHttpGetTool(options)
  return tool.run({ url }, { sessionId: 's', toolCallId: 'c', signal: new AbortController().signal })
}

const LOCAL = { isForbidden: () => false }

describe('fetches', () => {
  it('text with its status', async () => {
    const url = await serve((_request, response) => response.setHeader('content-type', 'text/plain').end('hello'))
    expect(await get(`${url}/a`, LOCAL)).toEqual({ output: `HTTP 200 from ${url}/a (text/plain)\n\nhello` })
  })

  it('follows redirects, but not for ever', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end()
      else if (request.url === '/b') response.end('there')
      else response.writeHead(302, { location: request.url ?? '/' }).end()
    })
    expect(await get(`${url}/a`, LOCAL)).toMatchObject({ output: expect.stringContaining('there') })
    await expect(get(`${url}/loop`, LOCAL)).rejects.toThrow('more than 5 times')
  })

  it('stops at its size and its time', async () => {
    const big = await serve((_request, response) => response.end('x'.repeat(10_000)))
    expect(await get(big, { ...LOCAL, maxBytes: 1_000 })).toMatchObject({
      output: expect.stringContaining('longer than 1000 bytes'),
    })
    const slow = await serve(() => undefined)
    await expect(get(slow, { ...LOCAL, timeoutMs: 50 })).rejects.toThrow(/abort|timeout/i)
  })
})

describe('never reaches what is not public', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://[::1]:1/',
    'http://0.0.0.0:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://127.1:1/',
    'http://10.1.2.3/',
    'http://192.168.0.1/',
    'http://172.16.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://[64:ff9b::7f00:1]:1/',
    'http://100.64.0.1/',
  ])('%s', async (url) => {
    await expect(get(url)).rejects.toThrow('not on the public internet')
  })

  it.each(['file:///etc/passwd', 'ftp://example.com/', 'gopher://x', 'http://user:pass@example.com/', 'nonsense'])(
    '%s is refused before anything is asked',
    async (url) => {
      expect(await createHttpGetTool().permit({ url })).toMatchObject({ verdict: 'deny' })
    },
  )

  it('not by a redirect or a name either', async () => {
    let reached = 0
    const listener: RequestListener = (request, response) => {
      if (request.url === '/inner') reached += 1
      response.writeHead(302, { location: `http://${request.url?.slice(1)}:${request.socket.localPort}/inner` }).end()
    }
    const url = await serve(listener)
    const options = { isForbidden: (address: string) => address !== '127.0.0.1' }
    await expect(get(`${url}/127.0.0.2`, options)).rejects.toThrow('127.0.0.2 is not on the public internet')
    expect(reached).toBe(0)
    const byName = { isForbidden: () => true }
    await expect(get(url.replace('127.0.0.1', 'localhost'), byName)).rejects.toThrow('localhost is not on the public')
  })
})
