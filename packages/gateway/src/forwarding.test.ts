import { createInMemoryStore } from '@longhaul/store'
import { request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readRoute, upstreamUrl } from './read-route.ts'
import { startGateway } from './testing/start-gateway.ts'
import { startRecorder } from './testing/start-recorder.ts'

const LONG = 'The soil is dry and wants some water. '.repeat(80)

async function stand(base = '') {
  const upstream = await startRecorder((call, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'of=the-vendor' })
    outgoing.end(JSON.stringify({ content: [{ type: 'text', text: 'Noted.' }], seen: call.url }))
  })
  const under = await startGateway({
    store: createInMemoryStore(),
    windowOf: () => 32_000,
    upstreams: { anthropic: { type: 'anthropic', baseURL: upstream.baseURL + base } },
  })
  onTestFinished(async () => {
    await under.close()
    await upstream.close()
  })
  return { upstream, under }
}

/** `fetch` would tidy the path up before it is sent. */
function get(url: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('the address of an upstream', () => {
  it.each([
    ['https://api.example.com', '/v1/messages', 'https://api.example.com/v1/messages'],
    ['https://api.example.com/', '/v1/messages?beta=true', 'https://api.example.com/v1/messages?beta=true'],
    ['https://api.example.com/v1', '/v1/models', 'https://api.example.com/v1/models'],
    ['https://proxy.example/team/v1/', '/v1/models', 'https://proxy.example/team/v1/models'],
    ['https://proxy.example/team', '/v1/a%2Fb//c', 'https://proxy.example/team/v1/a%2Fb//c'],
    ['https://proxy.example/team', '/v1/./models', 'https://proxy.example/team/v1/models'],
    ['https://api.example.com', '//evil.example/v1', 'https://api.example.com//evil.example/v1'],
    ['https://api.example.com', '/@evil.example/', 'https://api.example.com/@evil.example/'],
    ['https://api.example.com', '/\\evil.example', 'https://api.example.com//evil.example'],
  ])('%s with %s is %s', (base, path, url) => {
    expect(upstreamUrl(base, path)?.href).toBe(url)
  })

  it.each(['/../admin', '/v1/../../admin', '/%2e%2e/admin', '/v1\\..\\..\\admin', '/..'])('is not left by %s', (path) =>
    expect(upstreamUrl('https://proxy.example/team', path)).toBe(null),
  )

  it('a path that would leave it is refused, and nothing is sent', async () => {
    const { upstream, under } = await stand('/team')
    expect(await get(under.url, '/gateway/anthropic/../admin')).toBe(400)
    expect(await get(under.url, '/gateway/anthropic/v1/%2e%2e/%2E%2e/admin')).toBe(400)
    expect(upstream.calls).toEqual([])
  })

  it('a conversation may have any name in the path, and an upstream none of ours', () => {
    expect(readRoute('/gateway/s/my%20talk/anthropic/v1/x')).toMatchObject({
      session: 'my talk',
      upstream: 'anthropic',
    })
    expect(readRoute('/gateway/s/%zz/anthropic/v1/x')?.session).toBe('%zz')
    expect(readRoute('/gateway/anthropic')).toBe(null)
  })
})

describe('headers', () => {
  it('cookies and addresses of pages stay here, in both directions', async () => {
    const { upstream, under } = await stand()
    const answer = await fetch(`${under.url}/gateway/anthropic/v1/models`, {
      headers: { cookie: 'right=to-allow', referer: `${under.url}/gateway/t/TOKEN/x`, 'x-longhaul-token': 'TOKEN' },
    })
    expect(answer.headers.get('set-cookie')).toBe(null)
    expect(JSON.stringify(upstream.calls[0]?.headers)).not.toMatch(/right|TOKEN/)
  })

  it('that belong to one body do not go with another one', async () => {
    const { upstream, under } = await stand()
    const messages = Array.from({ length: 101 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Bed ${index}: ${LONG.slice(0, 3_000)}`,
    }))
    const body = JSON.stringify({ model: 'm', max_tokens: 9, tools: [{ name: 'a' }], messages })
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'once', 'content-md5': 'x' }
    await fetch(`${under.url}/gateway/anthropic/v1/messages`, { method: 'POST', body, headers })
    const edited = upstream.calls.filter((call) => call.body.length !== body.length)
    expect(edited.length).toBeGreaterThan(0)
    for (const call of edited) expect(call.headers).not.toHaveProperty('idempotency-key')
    for (const call of edited) expect(call.headers).not.toHaveProperty('content-md5')
    await fetch(`${under.url}/gateway/anthropic/v1/messages`, { method: 'POST', body: '{}', headers })
    expect(upstream.calls.at(-1)?.headers).toMatchObject({ 'idempotency-key': 'once', 'content-md5': 'x' })
  })
})
