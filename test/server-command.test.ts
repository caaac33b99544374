import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createClient } from '@longhaul/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCli, runJson } from '../packages/cli/src/testing/run-cli.ts'
import { createFolder } from '../packages/server/src/testing/start-app.ts'

const PROGRAM = join(import.meta.dirname, '../packages/cli/bin/longhaul.js')

interface Serving {
  readonly child: ChildProcess
  /** The first line on stdout; null: it ended without one. */
  readonly ready: Promise<string | null>
  readonly ended: Promise<{ readonly code: number | null; readonly complaints: string }>
}

function serve(folder: string, words: readonly string[], environment: Readonly<Record<string, string>> = {}): Serving {
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, LONGHAUL_DATA: folder, ...environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const gone = once(child, 'close')
  const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>
  return {
    child,
    ready: Promise.race([line.then(([first]) => first), gone.then(() => null)]),
    ended: Promise.all([text(child.stderr), gone]).then(([complaints]) => ({ code: child.exitCode, complaints })),
  }
}

describe('longhaul serve', () => {
  it('says where it is ready, serves API and web app, and stops when it is told to', async () => {
    const { child, ready, ended } = serve(await createFolder(), ['--port', '0'])
    const line = await ready
    expect(line).toMatch(/^Longhaul is ready at http:\/\/127\.0\.0\.1:\d+$/)
    const url = line?.replace('Longhaul is ready at ', '') ?? ''
    const client = createClient({ baseUrl: url })
    expect(await client.health()).toMatchObject({ status: 'ok', store: 'sqlite' })
    expect(await client.createSession()).toMatchObject({ model: 'offline/extractive' })
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<title>Longhaul</title>')
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0 })
  })

  it('other commands work on the sessions that it owns, and are told what it did', async () => {
    const folder = await createFolder()
    const url = (await serve(folder, ['--port', '0']).ready)?.replace('Longhaul is ready at ', '') ?? ''
    const client = createClient({ baseUrl: url })
    const { id } = await client.createSample()
    const json = { 'content-type': 'application/json' }
    const turn = { method: 'POST', headers: json, body: JSON.stringify({ text: 'What is the rule about mail?' }) }
    await (await fetch(`${url}/api/sessions/${id}/messages`, turn)).text()
    expect(await runJson(['status', id], { folder })).toMatchObject({ id, compactionCount: 1 })
    expect(await runJson(['undo', id], { folder })).toMatchObject({ undone: [expect.any(String)] })
    expect(await client.getStatus(id)).toMatchObject({ compactionCount: 1 })
    expect((await client.listCompactions(id)).items).toMatchObject([{ undone: true }])
    const { stdout } = await runCli(['chat', '--message', 'How many boats do we have?', '--session', id], { folder })
    const [answer] = (await client.listMessages(id, { before: '999999', limit: 1 })).items
    expect(answer).toMatchObject({ role: 'assistant', parts: [{ type: 'text', text: stdout.trim() }] })
  })

  it('one clear line where the port is in use, or others could get in without a token', async () => {
    const folder = await createFolder()
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const inUse = await serve(folder, ['--port', String(port)]).ended
    expect(inUse.code).toBe(1)
    expect(inUse.complaints.trim().split('\n').at(-1)).toMatch(new RegExp(`^longhaul: Port ${port} is in use`))
    const open = await serve(folder, ['--port', '0', '--host', '0.0.0.0']).ended
    expect(open.code).toBe(1)
    expect(open.complaints.trim().split('\n').at(-1)).toMatch(/^longhaul: .*LONGHAUL_TOKEN/)
  })

  it('wrong words are wrong usage', async () => {
    expect(await serve(await createFolder(), ['--port', 'eighty']).ended).toMatchObject({ code: 2 })
  })
})
