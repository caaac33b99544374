import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { createClient, readEvents } from '@longhaul/protocol'
import type { NumberedEvent, SessionEvent } from '@longhaul/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '@longhaul/runtime'
import { startServer } from './start-server.ts'
import type { RunningServer, ServerOptions } from './start-server.ts'
import { openRuntime } from './testing/start-app.ts'
import type { RuntimeWishes } from './testing/start-app.ts'

async function start(wishes: RuntimeWishes = {}, options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  const server = await startServer({
    port: 0,
    runtime: (parts) => openRuntime({ ...parts, ...wishes }),
    ...options,
  })
  onTestFinished(() => server.close())
  return server
}

describe('startServer', () => {
  it('listens on a free port and tells its address to whoever shares the store', async () => {
    const runtime = await openRuntime()
    let address: string | undefined
    const server = await start(
      {},
      {
        runtime: async (parts) => {
          address = parts.address
          return runtime
        },
      },
    )
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(address).toBe(server.url)
    expect(await createClient({ baseUrl: server.url }).health()).toMatchObject({ status: 'ok' })
  })

  it('takes a request without a body for one that wishes for nothing', async () => {
    const { url } = await start()
    expect((await fetch(`${url}/api/sessions`, { method: 'POST' })).status).toBe(201)
  })

  it('says so when the port is in use', async () => {
    const { url } = await start()
    const port = Number(new URL(url).port)
    await expect(start({}, { port })).rejects.toMatchObject({
      code: 'port-in-use',
      message: expect.stringContaining(String(port)),
    })
  })

  it('lets nobody but this machine in without a token', async () => {
    await expect(start({}, { host: '0.0.0.0' })).rejects.toMatchObject({ code: 'no-token' })
    const environment = { LONGHAUL_TOKEN: 'open-sesame' }
    const { url } = await start({ environment }, { host: '0.0.0.0' })
    const baseUrl = `http://127.0.0.1:${new URL(url).port}`
    await expect(createClient({ baseUrl }).listSessions()).rejects.toMatchObject({ code: 'unauthorized' })
    expect(await createClient({ baseUrl, token: 'open-sesame' }).listSessions()).toMatchObject({ items: [] })
  })

  it('says so when it cannot listen', async () => {
    await expect(start({}, { host: '192.0.2.1' })).rejects.toMatchObject({ code: 'cannot-listen' })
  })
})

describe('the protocol’s client', () => {
  it('sends, follows and reads a session over a real connection', async () => {
    const { url } = await start({ script: () => 'Over the wire.' })
    const client = createClient({ baseUrl: url })
    const { id } = await client.createSession({ title: 'Wire' })
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const events = client.follow(id, { signal: leaving.signal })
    const first = events.next()
    await untilFollowed(url)
    const { turnId } = await client.sendMessage(id, { text: 'Hello' })
    const seen = [(await first).value as NumberedEvent]
    for await (const numbered of events) {
      seen.push(numbered)
      if (numbered.event.type === 'done') break
    }
    expect(seen.every(({ event }) => event.turnId === turnId)).toBe(true)
    expect((await client.listMessages(id)).items.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })
})

describe('close', () => {
  it('lets a turn under way end, and takes no new one', async () => {
    const answer = Promise.withResolvers<string>()
    const server = await start({ script: () => answer.promise })
    const client = createClient({ baseUrl: server.url })
    const { id } = await client.createSession({ title: 'Named' })
    const turn = await fetch(`${server.url}/api/sessions/${id}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello' }),
    })
    const closed = server.close()
    await expect(client.sendMessage(id, { text: 'One more' })).rejects.toMatchObject({ status: 503, retryable: true })
    answer.resolve('Just in time.')
    expect(await turn.text()).toContain('"type":"done"')
    await closed
    await expect(client.health()).rejects.toMatchObject({ code: null })
  })

  it('parks a turn that takes too long, gives the session back and ends open streams', async () => {
    const runtime = await openRuntime({ script: () => ({ hangs: true }) })
    const server = await start({}, { runtime, graceMs: 50 })
    const { id } = await createClient({ baseUrl: server.url }).createSession({ title: 'Named' })
    const turn = await fetch(`${server.url}/api/sessions/${id}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'Hello', id: 'm1' }),
    })
    while ((await runtime.store.inbox.list(id)).length > 0) await new Promise((resolve) => setImmediate(resolve))
    const { entries, leases } = runtime.store
    const reading = turn.text()
    let atEnd: readonly unknown[] = []
    const closeAgent = runtime.agent.close.bind(runtime.agent)
    runtime.agent.close = async () => {
      await closeAgent()
      atEnd = [await leases.getOwner(id), (await entries.read(id, {})).at(-1)]
    }
    await server.close()
    expect(await reading).not.toContain('"type":"done"')
    expect(atEnd).toMatchObject([null, { id: 'm1', role: 'user' }])
  })
})

describe('many and slow clients', () => {
  it('a stream is woken by its own session alone, and leaves no watcher behind', async () => {
    let watchers = 0
    const heard = new Set<string | null>()
    const runtime = await openRuntime()
    const counted: Store = {
      ...runtime.store,
      watch(listener, sessionId) {
        watchers += 1
        const end = runtime.store.watch((change) => {
          heard.add(change.sessionId)
          listener(change)
        }, sessionId)
        return () => {
          watchers -= 1
          end()
        }
      },
    }
    const server = await start({}, { runtime: { ...runtime, store: counted } })
    const client = createClient({ baseUrl: server.url })
    const { id } = await client.createSession({ title: 'Named' })
    const leaving = new AbortController()
    const streams = await Promise.all(
      Array.from({ length: 200 }, () => fetch(`${server.url}/api/sessions/${id}/events`, { signal: leaving.signal })),
    )
    expect(streams.every(({ status }) => status === 200)).toBe(true)
    expect(watchers).toBe(200)
    const { id: other } = await client.createSession({ title: 'Another' })
    await runtime.store.events.add(other, 1, [{ turnId: null, type: 'context-warning', percent: 70 }])
    const ends = streams.map((stream) => readUntilDone(stream))
    await client.sendMessage(id, { text: 'To all', id: 'm1' })
    const all = await Promise.all(ends)
    expect(new Set(all.map((events) => JSON.stringify(events))).size).toBe(1)
    expect(heard).toContain(id)
    expect(heard).not.toContain(other)
    leaving.abort()
    await until(() => watchers === 0)
  })

  it('a client that does not read leaves its events in the store', async () => {
    const runtime = await openRuntime()
    let pages = 0
    const counted: Store = {
      ...runtime.store,
      events: {
        ...runtime.store.events,
        read(...asked) {
          pages += 1
          return runtime.store.events.read(...asked)
        },
      },
    }
    const server = await start({}, { runtime: { ...runtime, store: counted } })
    const { id } = await createClient({ baseUrl: server.url }).createSession()
    const text = 'x'.repeat(10_000)
    for (let batch = 0; batch < 40; batch += 1)
      await runtime.store.events.add(
        id,
        1,
        Array.from({ length: 200 }, () => ({ turnId: null, type: 'text-delta', text })),
      )
    const socket = await openSocket(server.url)
    socket.pause()
    socket.write(`GET /api/sessions/${id}/events HTTP/1.1\r\nhost: localhost\r\nlast-event-id: 0\r\n\r\n`)
    await until(() => pages > 0)
    await settle(() => pages)
    expect(pages).toBeLessThan(20)
    socket.destroy()
  })
})

async function openSocket(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  onTestFinished(() => void socket.destroy())
  return socket
}

async function readUntilDone(response: Response): Promise<readonly SessionEvent[]> {
  const seen: SessionEvent[] = []
  for await (const { event } of readEvents(response)) {
    seen.push(event)
    if (event.type === 'done') break
  }
  return seen
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Until a number has not changed for a while. */
async function settle(read: () => number): Promise<void> {
  for (let last = -1; last !== read();) {
    last = read()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

/** The server itself says how many streams it has. */
async function untilFollowed(url: string): Promise<void> {
  const readMetrics = async (): Promise<string> => (await fetch(`${url}/metrics`)).text()
  while (!/^longhaul_active_streams(?:\{\})? 1$/m.test(await readMetrics()))
    await new Promise((resolve) => setTimeout(resolve, 10))
}
