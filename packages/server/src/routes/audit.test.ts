import type { AuditSession, AuditStatus, Rights } from '@longhaul/protocol'
import { writeClaudeCodeSession } from '@longhaul/audit/testing'
import { describe, expect, it } from 'vitest'
import { createFolder, startApp } from '../testing/start-app.ts'
import type { AppUnderTest, AppWishes } from '../testing/start-app.ts'

async function startAuditing(wishes: AppWishes = {}) {
  const home = await createFolder()
  const written = await writeClaudeCodeSession(home)
  return { app: await startApp({ audit: { home, environment: {} }, ...wishes }), home, written }
}

async function waitForEnd(app: AppUnderTest, headers: Readonly<Record<string, string>>): Promise<AuditStatus> {
  const read = async (): Promise<AuditStatus> =>
    (await (await app.request('GET', '/api/audit', undefined, headers)).json()) as AuditStatus
  await expect.poll(async () => (await read()).state, { timeout: 20_000 }).toBe('done')
  return read()
}

describe('the audit over HTTP', () => {
  it('reads in the background, tells the sums and the worst, and each session with its losses', async () => {
    const { app, written } = await startAuditing()
    const person = await app.openAsPerson()
    const before = (await (await app.request('GET', '/api/audit', undefined, person)).json()) as AuditStatus
    expect(before).toEqual({ state: 'none', share: 0, startedAt: null, endedAt: null, error: null, overview: null })
    const begun = (await (await app.request('POST', '/api/audit', {}, person)).json()) as AuditStatus
    expect(begun.state).toBe('running')
    const { overview } = await waitForEnd(app, person)
    expect(overview?.totals).toMatchObject({ sessions: 1, compactions: 1 })
    expect(overview?.agents).toMatchObject([
      { name: 'Claude Code', cure: expect.stringContaining('longhaul run claude') },
    ])
    expect(overview?.worst[0]).toMatchObject({ text: written.lost, session: 1, neededAt: { by: 'user', message: 33 } })
    const answer = await app.request('GET', '/api/audit/sessions/1', undefined, person)
    const session = (await answer.json()) as AuditSession
    expect(session.path).toMatch(/^~\/\.claude\/projects\//)
    expect(session.compactions[0]?.lost.map(({ text }) => text)).toContain(written.lost)
    expect((await app.request('GET', '/api/audit/sessions/2', undefined, person)).status).toBe(404)
    const readPage = async (query: string): Promise<string> =>
      (await app.request('GET', `/api/audit/page${query}`, undefined, person)).text()
    expect(await readPage('')).toContain(written.lost)
    const shared = await readPage('?share=true')
    expect(shared).toMatch(/^<!doctype html>/)
    expect(shared).not.toContain(written.lost)
  })

  it('only a client that a person opened may ask for it', async () => {
    const { app } = await startAuditing()
    for (const [method, path] of [
      ['GET', '/api/audit'],
      ['POST', '/api/audit'],
      ['DELETE', '/api/audit'],
      ['GET', '/api/audit/page'],
      ['GET', '/api/audit/sessions/1'],
    ] as const) {
      const answer = await app.request(method, path, method === 'POST' ? {} : undefined)
      expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'forbidden' } }])
    }
    const rights = (await (await app.request('GET', '/api/rights')).json()) as Rights
    expect(rights).toEqual({ mayApprove: false, mayAudit: 'not-opened' })
    const person = await app.openAsPerson()
    expect(await (await app.request('GET', '/api/rights', undefined, person)).json()).toMatchObject({ mayAudit: 'yes' })
  })

  const token = { LONGHAUL_TOKEN: 'a-token-of-this-test' }
  const bearer = { authorization: 'Bearer a-token-of-this-test' }
  it.each([
    { name: 'has a token', wishes: { environment: token }, mayAudit: 'off' },
    { name: 'listens to the network', wishes: { host: '0.0.0.0', environment: token }, mayAudit: 'off' },
    {
      name: 'stands behind a proxy',
      wishes: { source: '{ server: { allowedHosts: ["chat.example.org"] } }' },
      mayAudit: 'off',
    },
    { name: 'is told not to', wishes: { source: '{ audit: { enabled: false } }' }, mayAudit: 'off' },
    {
      name: 'is shared and told to',
      wishes: { environment: token, source: '{ audit: { enabled: true } }' },
      mayAudit: 'yes',
    },
  ])('a server that $name: $mayAudit', async ({ wishes, mayAudit }) => {
    const { app } = await startAuditing(wishes)
    const headers = 'environment' in wishes ? bearer : await app.openAsPerson()
    expect(await (await app.request('GET', '/api/rights', undefined, headers)).json()).toMatchObject({ mayAudit })
    const { status } = await app.request('POST', '/api/audit', {}, headers)
    expect(status).toBe(mayAudit === 'off' ? 404 : 200)
  })

  it('nobody audits where the program did not say where agents keep their sessions', async () => {
    const app = await startApp({ source: '{ audit: { enabled: true } }' })
    const person = await app.openAsPerson()
    expect((await app.request('GET', '/api/audit', undefined, person)).status).toBe(404)
  })

  it('can be stopped, and what was found before stays', async () => {
    const { app } = await startAuditing()
    const person = await app.openAsPerson()
    await app.request('POST', '/api/audit', {}, person)
    await waitForEnd(app, person)
    await app.request('POST', '/api/audit', { days: 30 }, person)
    expect((await app.request('DELETE', '/api/audit', undefined, person)).status).toBe(204)
    const { overview } = await waitForEnd(app, person)
    expect(overview?.totals.compactions).toBe(1)
  })

  it('refuses wishes that make no sense', async () => {
    const { app } = await startAuditing()
    const person = await app.openAsPerson()
    for (const body of [{ days: 0 }, { days: 'x' }, { path: '/etc' }])
      expect((await app.request('POST', '/api/audit', body, person)).status).toBe(400)
  })
})
