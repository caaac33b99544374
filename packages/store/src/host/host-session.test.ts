import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostCodec } from '@longhaul/engine/testing'
import type { HostMessage } from '@longhaul/engine/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOwner } from '../owner/owner.ts'
import type { Store } from '../port/store.ts'
import { createSqliteStore } from '../sqlite/create-sqlite-store.ts'
import { openHostSession } from './host-session.ts'
import type { HostSession } from './host-session.ts'

const talk = (chars: number): string => 'The soil is dry and wants some water. '.repeat(Math.ceil(chars / 38))
const ask = async (): Promise<string> =>
  `<summary>\n+ Goal: plant every bed of the garden before the frost comes\n+ Done: beds were discussed one by one, ${talk(100)}\n</summary>`
const me = (body: string): HostMessage => ({ from: 'me', body })
const bot = (body: string): HostMessage => ({ from: 'bot', body, signature: 'a signature' })

let folder: string
let store: Store
const warnings: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-host-'))
  store = await createSqliteStore({ file: join(folder, 'sessions.db') })
  warnings.length = 0
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

function open(from: Store = store, sessionId = 'garden'): HostSession<HostMessage> {
  return openHostSession({
    origin: 'test',
    sessionId,
    codec: hostCodec,
    store: from,
    windowTokens: 16_000,
    model: 'fake/model',
    ask,
    warn: (text) => warnings.push(text),
  })
}

/** Talks until something was compacted. */
async function talkLong(session: HostSession<HostMessage>, turns = 40): Promise<HostMessage[]> {
  const list: HostMessage[] = []
  for (let turn = 1; turn <= turns; turn += 1) {
    list.push(me(`Bed ${turn}: ${talk(1_500)}`))
    await session.sync(list)
    list.push(bot(`Noted ${turn}.`))
  }
  await session.control((controls) => controls.settled())
  list.push(me('And now?'))
  return list
}

describe('a host’s session in a store', () => {
  it('is stored with its origin, model, window and title, and every message once', async () => {
    const session = open()
    const list = [me('Plant the garden\nplease'), bot('Which bed?'), me('The first.')]
    const sent = await session.sync(list)
    sent.forEach((message, index) => expect(message).toBe(list[index]))
    await session.sync(list)
    await session.close()
    const record = await store.sessions.get(session.id)
    expect(record).toMatchObject({ title: 'Plant the garden', header: { origin: 'test', originId: 'garden' } })
    expect(record?.head).toMatchObject({ model: 'fake/model', settings: { policy: { contextTokens: 16_000 } } })
    const entries = await store.entries.read(session.id, {})
    expect(entries.map(({ type }) => type)).toEqual(['model-change', 'settings', 'message', 'message', 'message'])
  })

  it('goes on after a restart with the same bytes, and explains each request', async () => {
    const session = open()
    const list = await talkLong(session)
    const sent = await session.sync(list)
    expect(sent.length).toBeLessThan(list.length)
    session.bill({ input: 9_000, output: 10 })
    await session.close()
    const again = open()
    expect(again).not.toBe(session)
    expect(await again.sync(structuredClone(list))).toEqual(sent)
    await again.close()
    const { items } = await store.requests.list(session.id, {})
    expect(items.length).toBeGreaterThan(40)
    expect(items.some(({ outcome }) => outcome !== null)).toBe(true)
    expect((await store.learned.get('fake/model')).calibrations).not.toEqual({})
    expect(await again.recall('Bed 3')).toContain('Bed 3:')
    expect(warnings).toEqual([])
  })

  it('an undo from outside is applied at the next call, once', async () => {
    const session = open()
    const list = await talkLong(session, 14)
    await session.control((controls) => controls.compact())
    const short = await session.sync(list)
    await store.inbox.put({ sessionId: session.id, id: 'undo-1', at: 0, kind: 'undo', payload: {} })
    const long = await session.sync(list)
    expect(long.length).toBeGreaterThan(short.length)
    expect(await session.sync(list)).toEqual(long)
    expect(await store.inbox.list(session.id)).toEqual([])
    await session.close()
    const events = await store.events.read(session.id, 0, 100)
    expect(events.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({
        type: 'request-settled',
        id: 'undo-1',
        outcome: expect.objectContaining({ ok: true }),
      }),
    )
  })

  it('what is not for outside to decide is refused, and settled', async () => {
    const session = open()
    await session.sync([me('Hello')])
    await store.inbox.put({ sessionId: session.id, id: 'm', at: 0, kind: 'message', payload: { text: 'From outside' } })
    expect(await session.sync([me('Hello')])).toHaveLength(1)
    expect(await store.inbox.list(session.id)).toEqual([])
  })
})

describe('two processes', () => {
  it('the one without the lease goes on with the stored view, says so, and damages nothing', async () => {
    const session = open()
    const list = await talkLong(session)
    const sent = await session.sync(list)
    await session.close()
    const other = createOwner()
    const acquired = await store.leases.acquire(session.id, other)
    expect(acquired.ok).toBe(true)
    const late = open()
    const seen = await late.sync(structuredClone(list))
    expect(seen).toEqual(sent)
    expect(warnings).toEqual([expect.stringContaining('another process owns this conversation')])
    const before = (await store.entries.read(session.id, {})).length
    await late.sync([...list, bot('Later.'), me('Still there?')])
    expect((await store.entries.read(session.id, {})).length).toBe(before)
    if (acquired.ok) await store.leases.release(acquired.lease)
    await late.sync([...list, bot('Later.'), me('Still there?')])
    expect((await store.entries.read(session.id, {})).length).toBe(before + 2)
    await late.close()
  })
})

describe('whatever goes wrong, the host’s list comes back', () => {
  it('a store that cannot be opened', async () => {
    await writeFile(join(folder, 'not-a-database'), 'hello '.repeat(1_000))
    const session = openHostSession({
      origin: 'test',
      sessionId: 'broken',
      codec: hostCodec,
      store: join(folder, 'not-a-database'),
      warn: (text) => warnings.push(text),
    })
    const list = [me('Hello')]
    expect(await session.sync(list)).toBe(list)
    expect(await session.sync(list)).toBe(list)
    expect(warnings).toEqual([expect.stringContaining('the request goes out as the host made it')])
    expect(await session.refused()).toBe(false)
    await session.close()
  })

  it('a message that the codec cannot read', async () => {
    const session = open(store, 'odd')
    const odd = [me('Hello'), null as unknown as HostMessage]
    expect(await session.sync(odd)).toBe(odd)
    expect(warnings).toHaveLength(1)
    expect(await session.sync([me('Hello')])).toHaveLength(1)
    await session.close()
  })

  it('a store that is closed in the middle', async () => {
    const session = open(store, 'closed')
    await session.sync([me('Hello')])
    await store.close()
    const list = [me('Hello'), bot('Hi'), me('More')]
    expect(await session.sync(list)).toBe(list)
    expect(warnings).toHaveLength(1)
    store = await createSqliteStore({ file: join(folder, 'sessions.db') })
  })
})
