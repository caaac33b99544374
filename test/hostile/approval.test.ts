import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { readEvents } from '@longhaul/protocol'
import { startServer } from '@longhaul/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { spawnCli } from '../../packages/cli/src/testing/run-cli.ts'
import { createFolder, openAsPerson, openRuntime } from '../../packages/server/src/testing/start-app.ts'
import type { RuntimeWishes } from '../../packages/server/src/testing/start-app.ts'

const run = promisify(execFile)

/** A server on which a call waits that would write a file. */
async function startWaiting(wishes: RuntimeWishes = {}, headers: Readonly<Record<string, string>> = {}) {
  const folder = await createFolder()
  const proof = join(folder, 'proof')
  const call = { id: 'c1', name: 'run_command', input: { command: `touch ${proof}` } }
  const runtime = await openRuntime({ script: (_, turn) => (turn === 0 ? { toolCalls: [call] } : 'Done.'), ...wishes })
  const server = await startServer({ runtime, port: 0, graceMs: 0 })
  onTestFinished(() => server.close())
  const { id } = await runtime.agent.createSession({ title: 'Named' })
  const post = (path: string, body: unknown, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${server.url}/api/sessions/${id}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...more },
      body: JSON.stringify(body),
    })
  const events = readEvents(await post('/messages', { text: 'Write it' }))
  for await (const { event } of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) })
    if (event.type === 'approval-needed') break
  return {
    server,
    id,
    hasRun: () => existsSync(proof),
    approve: async (more?: Readonly<Record<string, string>>) =>
      (await post('/approvals/c1', { allow: true }, more)).status,
    /** Until the turn is over. */
    finish: async () => {
      for (;;) if ((await events.next()).done === true) return
    },
  }
}

describe('a call that waits for a yes', () => {
  it('18.1 a program of the same machine cannot allow it, by any way that the server has', async () => {
    const { server, id, hasRun, approve, finish } = await startWaiting()
    const program = join(import.meta.dirname, 'approval/ask-from-outside.ts')
    const { stdout } = await run(process.execPath, [program, server.url, id, 'c1'], { env: {} })
    const { refused, learned } = JSON.parse(stdout) as { refused: Record<string, number>; learned: string }
    expect(refused).toEqual({
      plain: 403,
      asThePage: 403,
      withGuessedToken: 403,
      withGuessedCookie: 403,
      byCommand: 400,
      inChat: 400,
      byPolicy: 400,
    })
    expect(learned).toBe('')
    expect(hasRun()).toBe(false)
    expect(await approve(await openAsPerson(server.createOpeningAddress()))).toBe(204)
    await finish()
    expect(hasRun()).toBe(true)
  })

  it('18.1 the one-time address works once, for a visit alone; its cookie is for no script and no other site', async () => {
    const { server, approve } = await startWaiting()
    const address = server.createOpeningAddress() ?? ''
    const visit = (init: RequestInit = {}): Promise<Response> => fetch(address, { redirect: 'manual', ...init })
    expect((await visit({ method: 'HEAD' })).status).toBe(403)
    expect((await visit({ headers: { 'sec-purpose': 'prefetch;prerender' } })).status).toBe(403)
    expect((await visit({ headers: { 'sec-fetch-dest': 'iframe' } })).status).toBe(403)
    const opened = await visit()
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/'])
    const [cookie = ''] = opened.headers.getSetCookie()
    expect(cookie).toMatch(
      new RegExp(`^longhaul-${new URL(server.url).port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    )
    const held = { cookie: cookie.split(';')[0] ?? '' }
    const again = await visit()
    expect([again.status, again.headers.getSetCookie()]).toEqual([403, []])
    expect(await again.text()).toContain('was opened before')
    // A browser that restores its tabs is let in as before, and gets nothing new.
    const restored = await visit({ headers: held })
    expect([restored.status, restored.headers.getSetCookie()]).toEqual([303, []])
    expect(await approve({ ...held, origin: 'https://elsewhere.example' })).toBe(403)
    expect(await approve({ ...held, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await approve(held)).toBe(204)
  })

  it('18.1 with a token, the token allows; there is no one-time address then', async () => {
    const bearer = { authorization: 'Bearer of-a-person' }
    const { server, approve, finish, hasRun } = await startWaiting(
      { environment: { LONGHAUL_TOKEN: 'of-a-person' } },
      bearer,
    )
    expect(server.createOpeningAddress()).toBeNull()
    expect(await approve({ authorization: 'Bearer of-a-program' })).toBe(401)
    expect(await approve()).toBe(204)
    await finish()
    expect(hasRun()).toBe(true)
  })

  it('18.1 `longhaul serve` prints the address; in a file there is no second one', async () => {
    const child = spawnCli(['serve', '--port', '0'], { folder: await createFolder() })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines: string[] = []
    const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
    while (lines.length < 2) await once(reader, 'line')
    const [ready = '', printed = ''] = lines
    const url = ready.replace('Longhaul is ready at ', '')
    const address = printed.split(' ').at(-1) ?? ''
    expect(address).toMatch(new RegExp(`^${url}/open/[\\w-]{43}$`))
    const rights = async (headers: Readonly<Record<string, string>>): Promise<unknown> =>
      (await fetch(`${url}/api/rights`, { headers })).json()
    expect(await rights({})).toMatchObject({ mayApprove: false })
    const person = await openAsPerson(address)
    expect(await rights(person)).toMatchObject({ mayApprove: true })
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(lines).toHaveLength(2)
  })
})
