import { DatabaseSync } from 'node:sqlite'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runJson } from '../packages/cli/src/testing/run-cli.ts'
import { createFolder } from '../packages/server/src/testing/start-app.ts'
import { startGatewayProcess } from './gateway/start-gateway-process.ts'
import type { GatewayProcess } from './gateway/start-gateway-process.ts'
import { bodyOf, configureUpstream, longTalk, messagesOf, startUpstream } from './gateway/start-upstream.ts'
import type { Upstream } from './gateway/start-upstream.ts'

const KEY = 'sk-ant-the-clients-own-key'
const TOKEN = 'token-of-this-server'
const PATH = '/gateway/anthropic/v1/messages'

interface Stand {
  readonly folder: string
  readonly upstream: Upstream
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<GatewayProcess>
}

async function stand(words: readonly string[] = ['gateway'], upstream?: Upstream): Promise<Stand> {
  const folder = await createFolder()
  const behind = upstream ?? (await startUpstream())
  await configureUpstream(folder, behind.url)
  return {
    folder,
    upstream: behind,
    start: (environment = {}) => startGatewayProcess({ folder, words, environment }),
  }
}

function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-api-key': KEY, ...headers },
  })
}

const last = ({ calls }: Upstream) =>
  calls.findLast(({ body }) => body.includes('read_file')) as Upstream['calls'][number]

describe.each([['gateway'], ['serve', '--no-open']])('longhaul %s, as a gateway', (...words) => {
  it('goes on after SIGKILL with the same first three messages, byte for byte', { timeout: 120_000 }, async () => {
    const { folder, upstream, start } = await stand(words)
    const first = await start()
    const talk = longTalk(40)
    for (let turn = 30; turn < 39; turn += 1)
      expect((await post(first.url + PATH, bodyOf(talk.slice(0, turn * 2 + 1)))).status).toBe(200)
    const before = messagesOf(last(upstream))
    expect(before.length).toBeLessThan(77)
    const next = bodyOf(talk.slice(0, 79))
    const unanswered = post(first.url + PATH, next).catch(() => null)
    await first.end('SIGKILL')
    await unanswered

    const second = await start()
    const answer = await post(second.url + PATH, next)
    expect(answer.headers.get('x-longhaul-view')).toBe('edited')
    expect(messagesOf(last(upstream)).slice(0, 3)).toEqual(before.slice(0, 3))
    expect(await runJson(['sessions', 'list'], { folder })).toMatchObject({ items: [{ origin: 'gateway' }] })
    expect(await second.end('SIGTERM')).toBe(0)
  })
})

describe('the store', () => {
  it('locked by another program: the original goes out, soon', { timeout: 120_000 }, async () => {
    const { folder, upstream, start } = await stand()
    const { url } = await start()
    await post(url + PATH, bodyOf(longTalk(2)))
    const locker = new DatabaseSync(join(folder, 'longhaul.db'))
    onTestFinished(() => locker.close())
    locker.exec('BEGIN EXCLUSIVE')
    const body = bodyOf([...longTalk(40), { role: 'user', content: 'And?' }])
    const answer = await post(url + PATH, body)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-longhaul-view')).toBe('verbatim')
    expect(last(upstream).body.toString()).toBe(body)
    const again = performance.now()
    await post(url + PATH, body)
    expect(performance.now() - again).toBeLessThan(5_000)
    locker.exec('ROLLBACK')
  })

  it('gone: the original goes out', async () => {
    const { folder, upstream, start } = await stand()
    const { url } = await start()
    for (const name of await readdir(folder)) if (name.startsWith('longhaul.db')) await rm(join(folder, name))
    const body = bodyOf([{ role: 'user', content: 'Go.' }])
    expect((await post(url + PATH, body)).status).toBe(200)
    expect(last(upstream).body.toString()).toBe(body)
  })
})

describe('who may come in', () => {
  it('with a token: by header or path, and neither it nor the key is passed on, logged or stored', async () => {
    const { folder, upstream, start } = await stand()
    const gateway = await start({ LONGHAUL_TOKEN: TOKEN })
    const body = bodyOf(longTalk(2))
    expect((await post(gateway.url + PATH, body)).status).toBe(401)
    expect((await post(gateway.url + PATH, body, { authorization: `Bearer ${TOKEN}` })).status).toBe(401)
    expect((await post(gateway.url + PATH, body, { 'x-longhaul-token': 'another' })).status).toBe(401)
    expect((await post(`${gateway.url}/gateway/t/another/anthropic/v1/messages`, body)).status).toBe(401)
    expect((await fetch(`${gateway.url}/gateway/report`)).status).toBe(401)
    const asked = { headers: { 'x-longhaul-nonce': 'once' } }
    const proof = await (await fetch(`${gateway.url}/gateway/proof`, asked)).text()
    expect(proof).toMatch(/^\{"proof":"[\da-f]{24}"\}$/)
    expect(upstream.calls).toEqual([])
    expect((await post(gateway.url + PATH, body, { 'x-longhaul-token': TOKEN })).status).toBe(200)
    const named = await post(`${gateway.url}/gateway/t/${TOKEN}/s/nightly/anthropic/v1/messages`, body)
    expect(named.headers.get('x-longhaul-session')).toBe('gateway-nightly')
    expect(upstream.calls.map(({ url }) => url)).toEqual(['/v1/messages', '/v1/messages'])
    expect(upstream.calls.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, KEY])
    expect(JSON.stringify(upstream.calls)).not.toContain(TOKEN)
    await gateway.end('SIGTERM')
    expect(gateway.output()).not.toMatch(new RegExp(`${KEY}|${TOKEN}`))
    for (const name of await readdir(folder)) {
      const stored = await readFile(join(folder, name)).catch(() => Buffer.alloc(0))
      expect(stored.includes(KEY) || stored.includes(TOKEN), name).toBe(false)
    }
  })

  it('no page of another site, and no other name of this machine', async () => {
    const { upstream, start } = await stand()
    const { url } = await start()
    const body = bodyOf(longTalk(1))
    expect((await post(url + PATH, body, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(url + PATH, body, { origin: 'null' })).status).toBe(403)
    const page = { 'sec-fetch-site': 'cross-site' }
    expect((await fetch(`${url}/gateway/anthropic/v1/models`, { headers: page })).status).toBe(403)
    expect(
      (await fetch(`${url}/gateway/anthropic/v1/models`, { method: 'OPTIONS', headers: { origin: 'http://x.y' } }))
        .status,
    ).toBe(403)
    expect(upstream.calls).toEqual([])
  })

  it('one clear line where others could get in without a token', async () => {
    const folder = await createFolder()
    await expect(startGatewayProcess({ folder, words: ['gateway', '--host', '0.0.0.0'] })).rejects.toThrow(
      /LONGHAUL_TOKEN/,
    )
    const bad = startGatewayProcess({ folder, words: ['gateway', '--upstream', 's=http://127.0.0.1:1'] })
    await expect(bad).rejects.toThrow(/--upstream s: this name stands for something else/)
  })
})

describe('a request', () => {
  it('that says off is not looked at, an unknown upstream is told so, and one that is down is a 502', async () => {
    const { upstream, start, folder } = await stand()
    const { url } = await start()
    const body = bodyOf(longTalk(40))
    const off = await post(url + PATH, body, { 'x-longhaul': 'off' })
    expect([off.status, off.headers.get('x-longhaul-session')]).toEqual([200, null])
    expect(last(upstream).body.toString()).toBe(body)
    expect(off.headers.get('content-security-policy')).toContain("default-src 'none'")
    const unknown = await post(`${url}/gateway/nobody/v1/messages`, body)
    expect([unknown.status, await unknown.json()]).toMatchObject([
      404,
      { error: { message: /no upstream of that name/ } },
    ])
    const down = await startGatewayProcess({ folder, words: ['gateway', '--upstream', 'local=http://127.0.0.1:9'] })
    const refused = await post(`${down.url}/gateway/local/v1/chat/completions`, body)
    expect([refused.status, await refused.json()]).toMatchObject([502, { error: { message: /could not reach local/ } }])
  })

  it('of 64 MB and of more passes', { timeout: 120_000 }, async () => {
    const { upstream, start } = await stand()
    const { url } = await start()
    const rest = Buffer.byteLength(bodyOf([{ role: 'user', content: '' }]))
    for (const bytes of [64 * 1_048_576, 64 * 1_048_576 + 4_096]) {
      const body = bodyOf([{ role: 'user', content: 'x'.repeat(bytes - rest) }])
      expect((await post(url + PATH, body)).status).toBe(200)
      expect(upstream.calls.at(-1)?.body.length).toBe(bytes)
      upstream.calls.length = 0
    }
  })

  it('gets a slow answer piece by piece, also under serve', async () => {
    const upstream = await startUpstream((outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write('data: 1\n\n')
      setTimeout(() => outgoing.end('data: 2\n\n'), 1_500)
    })
    const { start } = await stand(['serve', '--no-open'], upstream)
    const { url } = await start()
    const answer = await post(url + PATH, bodyOf(longTalk(1)))
    const began = performance.now()
    const gaps: number[] = []
    let all = ''
    for await (const chunk of answer.body ?? []) {
      gaps.push(performance.now() - began)
      all += Buffer.from(chunk).toString()
    }
    expect(all).toBe('data: 1\n\ndata: 2\n\n')
    expect(gaps[0]).toBeLessThan(700)
    expect(gaps.at(-1)).toBeGreaterThan(1_000)
  })

  it('under way when the gateway is told to stop comes to its end', async () => {
    const upstream = await startUpstream((outgoing) => void setTimeout(() => outgoing.end('{"ok":true}'), 1_000))
    const { start } = await stand(['gateway'], upstream)
    const gateway = await start()
    const answer = post(gateway.url + PATH, bodyOf(longTalk(1)))
    await expect.poll(() => upstream.calls.length, { timeout: 5_000 }).toBe(1)
    const ended = gateway.end('SIGTERM')
    expect(await (await answer).json()).toEqual({ ok: true })
    expect(await ended).toBe(0)
  })
})
