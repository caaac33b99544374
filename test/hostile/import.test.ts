import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, readEvents } from '@longhaul/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCli, spawnCli } from '../../packages/cli/src/testing/run-cli.ts'
import { createFolder, startApp } from '../../packages/server/src/testing/start-app.ts'

interface Server {
  readonly url: string
  readonly pid: number
  readonly folder: string
}

/** The program itself, in a process of its own. */
async function serve(): Promise<Server> {
  const folder = await createFolder()
  const child = spawnCli(['serve', '--port', '0'], { folder })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { url: line.replace('Longhaul is ready at ', ''), pid: child.pid ?? 0, folder }
}

/** The most memory that the process ever held, in megabytes. */
async function readPeak(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024
}

async function* repeat(piece: string, count: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(piece)
  for (let index = 0; index < count; index += 1) yield bytes
}

function send(url: string, body: AsyncIterable<Uint8Array>, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${url}/api/sessions/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...headers },
    body: ReadableStream.from(body),
    duplex: 'half',
  })
}

const UNREACHABLE = ['..', '.']

describe('ids that no address can name', () => {
  it.each(UNREACHABLE)('18.13 %j is refused by every way in, in words, and nothing is stored', async (id) => {
    const app = await startApp()
    const message = (messageId: string) => ({ id: messageId, role: 'user', parts: [{ type: 'text', text: 'Hello' }] })
    const transcript = `{"type":"session","version":1,"id":"${id}","createdAt":1}\n{"type":"message","seq":1,"id":"m1","at":1,"role":"user","parts":[]}\n`
    const { id: session } = await app.createSession({ title: 'There' })
    const answers = [
      await app.request('POST', '/api/chat', { id, messages: [message('m1')] }),
      await app.request('POST', '/api/chat', { id: 'chat', messages: [message(id)] }),
      await app.request('POST', `/api/sessions/${session}/messages`, { text: 'Hello', id }),
      await app.requestRaw('/api/sessions/import', { method: 'POST', body: transcript }),
    ]
    for (const answer of answers) {
      expect(await answer.json()).toMatchObject({
        error: { code: 'invalid-request', message: expect.stringContaining('neither . nor ..') },
      })
    }
    await expect(app.runtime.agent.createSession({ id })).rejects.toThrow('neither . nor ..')
    expect((await app.runtime.store.sessions.list({})).items.map((record) => record.id)).toEqual([session])
    const folder = await createFolder()
    await writeFile(join(folder, 'one.jsonl'), transcript)
    expect(await runCli(['sessions', 'import', join(folder, 'one.jsonl')], { folder })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('neither . nor ..'),
    })
  })
})

describe.runIf(process.platform === 'linux')('a large import', () => {
  it('18.13 60 MB of line feeds or of empty objects, or noise, take no memory to speak of, and are refused', async () => {
    const { url, pid } = await serve()
    const client = createClient({ baseUrl: url })
    await client.createSession()
    const before = await readPeak(pid)
    const grown: Record<string, number> = {}
    const texts = { 'line feeds': ['\n', 60], noise: ['x\n', 15], objects: ['{}\n', 60] } as const
    for (const [name, [piece, megabytes]] of Object.entries(texts)) {
      const answer = await send(url, repeat(piece.repeat(60_000 / piece.length), (megabytes * 1_000) / 60))
      expect(await answer.json()).toMatchObject({ error: { code: 'invalid-request' } })
      grown[name] = Math.round((await readPeak(pid)) - before)
    }
    console.log(`memory taken so far, in MB: ${JSON.stringify(grown)}`)
    expect(Math.max(...Object.values(grown))).toBeLessThan(500)
  }, 120_000)

  it('18.13 300,000 messages hold up nobody: turns of another session go on', async () => {
    const { url } = await serve()
    const client = createClient({ baseUrl: url })
    const { id } = await client.createSession({ title: 'Another' })
    const say = async (): Promise<number> => {
      const startedAt = performance.now()
      let waitedMs = Infinity
      const answer = await fetch(`${url}/api/sessions/${id}/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'How many boats?' }),
      })
      for await (const { event } of readEvents(answer)) {
        waitedMs = Math.min(waitedMs, performance.now() - startedAt)
        if (event.type === 'response-complete') break
      }
      return waitedMs
    }
    await say()
    const quiet = [await say(), await say(), await say()]
    const startedAt = performance.now()
    let importedAt = Infinity
    const importing = send(url, writeLong()).then(async (answer) => {
      importedAt = performance.now()
      return answer.json()
    })
    const waits: number[] = []
    // Words are taken up into the search index for a while after that.
    while (performance.now() < importedAt + 2_000) {
      waits.push(await say())
      await pause(100)
    }
    expect(await importing).toMatchObject({ session: { messageCount: 300_000 }, problems: [] })
    const longest = Math.max(...waits)
    const tookMs = importedAt - startedAt
    console.log(
      `${waits.length} turns during an import of ${Math.round(tookMs)} ms; longest wait for a first byte: ${Math.round(longest)} ms`,
    )
    expect(waits.length).toBeGreaterThan(5)
    // On a machine that others use as well, a turn waits without any import.
    expect(longest).toBeLessThan(Math.max(1_500, 10 * Math.max(...quiet)))
  }, 180_000)
})

async function* writeLong(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{"type":"session","version":1,"id":"long","createdAt":1}\n')
  for (let from = 1; from <= 300_000; from += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, index) => {
      const seq = from + index
      const role = seq % 2 === 0 ? 'assistant' : 'user'
      return `{"type":"message","seq":${seq},"id":"m${seq}","at":${seq},"role":"${role}","parts":[{"type":"text","text":"Line ${seq} of a long talk"}]}\n`
    })
    yield Buffer.from(lines.join(''))
  }
}
