import { describe, expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'
import type { AppUnderTest } from '../testing/start-app.ts'

async function statusOf(app: AppUnderTest, method: string, path: string, headers: Readonly<Record<string, string>>) {
  const response = await app.request(method, path, method === 'POST' ? {} : undefined, headers)
  await response.body?.cancel()
  return response.status
}

describe('Host', () => {
  it('answers to loopback names with any port, the bound host and allowedHosts', async () => {
    const app = await startApp({
      host: '192.0.2.7',
      source: '{ server: { allowedHosts: ["chat.example.org", "other.example:8443"] } }',
    })
    const good = [
      'localhost',
      'localhost:4747',
      'app.localhost:1',
      '127.0.0.1:80',
      '127.9.9.9',
      '[::1]:4747',
      'LOCALHOST',
    ]
    const own = ['192.0.2.7:4747', 'chat.example.org', 'chat.example.org:443', 'Chat.Example.Org', 'other.example:8443']
    for (const host of [...good, ...own])
      expect([host, await statusOf(app, 'GET', '/api/health', { host })]).toEqual([host, 200])
  })

  it('refuses every other name: DNS rebinding', async () => {
    const app = await startApp()
    const forged = [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '192.0.2.7',
      'evil.example:4747',
    ]
    const odd = ['', 'localhost@evil.example', 'localhost:4747:1', '[::2]', 'a b', '127.0.0.1evil', 'localhost/x']
    for (const host of [...forged, ...odd]) {
      expect([host, await statusOf(app, 'GET', '/api/health', { host })]).toEqual([host, 403])
      expect([host, await statusOf(app, 'GET', '/', { host })]).toEqual([host, 403])
    }
  })
})

describe('Origin', () => {
  it('lets programs and its own pages in', async () => {
    const app = await startApp()
    const host = 'localhost:4747'
    expect(await statusOf(app, 'POST', '/api/sessions', { host })).toBe(201)
    expect(await statusOf(app, 'POST', '/api/sessions', { host, origin: 'http://localhost:4747' })).toBe(201)
    expect(await statusOf(app, 'POST', '/api/sessions', { host, 'sec-fetch-site': 'same-origin' })).toBe(201)
    expect(await statusOf(app, 'GET', '/api/sessions', { host, 'sec-fetch-site': 'none' })).toBe(200)
  })

  it('keeps pages of others out, of other ports too, from changes and from events', async () => {
    const app = await startApp()
    const host = 'localhost:4747'
    const { id } = await app.createSession()
    const foreign = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:3000' },
      { origin: 'http://localhost:4747.evil.example' },
      { origin: 'http://localhost:4747', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      for (const [method, path] of [
        ['POST', '/api/sessions'],
        ['DELETE', `/api/sessions/${id}`],
        ['GET', `/api/sessions/${id}/events`],
        ['OPTIONS', '/api/sessions'],
        ['POST', '/'],
      ] as const)
        expect([headers, method, await statusOf(app, method, path, { host, ...headers })]).toEqual([
          headers,
          method,
          403,
        ])
    }
    expect((await app.runtime.store.sessions.list({})).items).toHaveLength(1)
    // A link on somebody else's page may lead to the app.
    expect(await statusOf(app, 'GET', '/', { host, 'sec-fetch-site': 'cross-site' })).toBe(404)
  })

  it('allowedOrigins get what browsers ask for before they let a page use it', async () => {
    const app = await startApp({ source: '{ server: { allowedOrigins: ["https://chat.example.org"] } }' })
    const origin = 'https://chat.example.org'
    const preflight = await app.request('OPTIONS', '/api/sessions', undefined, { origin })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
    const headers = { origin, 'sec-fetch-site': 'cross-site' }
    const response = await app.request('POST', '/api/sessions', {}, headers)
    expect(response.status).toBe(201)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
  })
})

describe('token', () => {
  it('is asked for everywhere but at the checks of health and readiness and the web app', async () => {
    const app = await startApp({ environment: { LONGHAUL_TOKEN: 'open-sesame' } })
    const { id } = await app.runtime.agent.createSession()
    const closed = ['/api/sessions', `/api/sessions/${id}/events`, '/api/none', '/metrics', '/openapi.json']
    for (const path of closed) {
      for (const authorization of [
        '',
        'Bearer',
        'Bearer wrong',
        'Basic open-sesame',
        'Bearer open-sesame2',
        'open-sesame',
      ]) {
        const response = await app.request('GET', path, undefined, authorization === '' ? {} : { authorization })
        expect([path, authorization, response.status]).toEqual([path, authorization, 401])
        expect(response.headers.get('www-authenticate')).toBe('Bearer')
      }
    }
    const good = { authorization: 'Bearer open-sesame' }
    expect(await statusOf(app, 'GET', '/api/sessions', good)).toBe(200)
    expect(await statusOf(app, 'GET', `/api/sessions/${id}/events`, good)).toBe(200)
    expect(await statusOf(app, 'GET', '/api/health', {})).toBe(200)
    expect(await statusOf(app, 'GET', '/api/ready', {})).toBe(200)
    expect(await statusOf(app, 'GET', '/', {})).toBe(404)
  })
})

describe('body', () => {
  const json = { 'content-type': 'application/json' }

  async function post(
    app: AppUnderTest,
    body: string | Uint8Array | ReadableStream,
    headers: Readonly<Record<string, string>>,
    path = '/api/sessions',
  ) {
    const response = await app.requestRaw(path, { method: 'POST', headers, body, duplex: 'half' })
    return { status: response.status, ...((await response.json()) as { readonly error?: { readonly code: string } }) }
  }

  it('that is no JSON, no UTF-8 or nested without end is an invalid request', async () => {
    const app = await startApp()
    const invalid = { status: 400, error: { code: 'invalid-request' } }
    expect(await post(app, '{"title":', json)).toMatchObject(invalid)
    expect(await post(app, 'null', json)).toMatchObject(invalid)
    expect(await post(app, new Uint8Array([0x22, 0xff, 0x22]), json)).toMatchObject(invalid)
    expect(await post(app, `{"policy":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_001)}`, json)).toMatchObject(invalid)
    expect(await post(app, `{"title":"${'['.repeat(200)}\\"["}`, json)).toMatchObject({ status: 201 })
  })

  it('may be left out where nothing is wished for', async () => {
    const app = await startApp()
    expect(await post(app, '', json)).toMatchObject({ status: 201 })
    expect((await app.request('POST', '/api/sessions')).status).toBe(201)
  })

  it('of another type is refused by 415', async () => {
    const app = await startApp()
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
    ])
      expect(await post(app, '{}', { 'content-type': type })).toMatchObject({
        status: 415,
        error: { code: 'invalid-request' },
      })
    expect(await post(app, '{}', { 'content-type': 'application/json; charset=utf-8' })).toMatchObject({ status: 201 })
  })

  it('that is too large is refused, also where it does not say how long it is', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const tooLarge = { status: 413, error: { code: 'payload-too-large' } }
    const big = JSON.stringify({ title: 'x'.repeat(1_100_000) })
    const chunks = (text: string): ReadableStream => ReadableStream.from([text]).pipeThrough(new TextEncoderStream())
    expect(await post(app, big, json)).toMatchObject(tooLarge)
    expect(await post(app, chunks(big), json)).toMatchObject(tooLarge)
    expect(await post(app, '{}', { ...json, 'content-length': '99999999' })).toMatchObject(tooLarge)
    const message = JSON.stringify({ text: 'x'.repeat(21 * 1_048_576) })
    expect(await post(app, chunks(message), json, `/api/sessions/${id}/messages`)).toMatchObject(tooLarge)
    expect((await app.runtime.store.sessions.list({})).items).toHaveLength(1)
  })
})

describe('security headers', () => {
  it('are on every answer, errors too', async () => {
    const app = await startApp()
    for (const path of ['/api/health', '/api/none', '/']) {
      const { headers } = await app.request('GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })

  it('errors tell nothing of where they come from', async () => {
    const app = await startApp()
    await app.runtime.store.close()
    const response = await app.request('GET', '/api/sessions')
    expect(response.status).toBe(503)
    expect(await response.text()).not.toMatch(/sqlite|\/tmp|at \w+ \(/i)
  })
})
