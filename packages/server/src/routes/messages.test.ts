import { createHttpError } from '@longhaul/models/testing'
import { listOf, messageSchema, readEvents } from '@longhaul/protocol'
import type { List, Message, SessionEvent } from '@longhaul/protocol'
import { importTranscript } from '@longhaul/runtime'
import type { Entry } from '@longhaul/runtime'
import { describe, expect, it } from 'vitest'
import { collectEvents, startApp, typesOf } from '../testing/start-app.ts'
import type { AppUnderTest } from '../testing/start-app.ts'

async function list(app: AppUnderTest, id: string, query = ''): Promise<List<Message>> {
  const response = await app.request('GET', `/api/sessions/${id}/messages${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as List<Message>
}

const path = (id: string): string => `/api/sessions/${id}/messages`

describe('POST /api/sessions/:id/messages', () => {
  it('streams the turn from message-stored to done, then closes', async () => {
    const app = await startApp({ script: () => 'Water them in the evening.' })
    const { id } = await app.createSession()
    const response = await app.request('POST', path(id), { text: 'When?', id: 'm1' })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events = await collectEvents(response)
    expect(events[0]).toEqual({ turnId: 'm1', type: 'message-stored', id: 'm1' })
    expect(typesOf(events).filter((type) => type !== 'text-delta')).toEqual([
      'message-stored',
      'usage',
      'response-complete',
      'done',
    ])
    const text = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')
    expect(text).toBe('Water them in the evening.')
    expect(events).toContainEqual(expect.objectContaining({ type: 'response-complete', text }))
  })

  it('numbers every event, so that the stream of the session can go on from there', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const ids: number[] = []
    for await (const numbered of readEvents(await app.request('POST', path(id), { text: 'Hello' })))
      ids.push(Number(numbered.id))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(ids.at(-1)).toBe(await app.runtime.store.events.getLastId(id))
  })

  it('tells the reply only when it is stored', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    for await (const { event } of readEvents(await app.request('POST', path(id), { text: 'Hello' }))) {
      if (event.type !== 'response-complete') continue
      expect(await app.runtime.store.entries.find(id, event.id)).toMatchObject({ role: 'assistant' })
    }
  })

  it('answers 202 to a client that accepts only JSON; the turn goes on without it', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const response = await app.request('POST', path(id), { text: 'Hi', id: 'm1' }, { accept: 'application/json' })
    expect(response.status).toBe(202)
    expect(await response.json()).toEqual({ id: 'm1', turnId: 'm1' })
    expect(typesOf(await app.say(id, 'Hi', 'm1'))).toContain('response-complete')
    expect((await list(app, id)).items).toHaveLength(2)
  })

  it('a client that goes away does not stop its turn', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const app = await startApp({ script: () => promise })
    const { id } = await app.createSession()
    const response = await app.request('POST', path(id), { text: 'Hello', id: 'm1' })
    await response.body?.cancel()
    resolve('Here I am.')
    expect(await app.say(id, 'Hello', 'm1')).toContainEqual(
      expect.objectContaining({ type: 'response-complete', text: 'Here I am.' }),
    )
  })

  it('the same id and text again reattaches: to a turn under way, and to one that is over', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const app = await startApp({ script: () => promise })
    const { id } = await app.createSession()
    const first = await app.request('POST', path(id), { text: 'Hello', id: 'm1' })
    const second = await app.request('POST', path(id), { text: 'Hello', id: 'm1' })
    resolve('Once.')
    const told = [await collectEvents(first), await collectEvents(second), await app.say(id, 'Hello', 'm1')]
    for (const events of told) {
      expect(typesOf(events)[0]).toBe('message-stored')
      expect(typesOf(events).at(-1)).toBe('done')
      expect(events.filter(({ type }) => type === 'response-complete')).toHaveLength(1)
    }
    expect((await list(app, id)).items).toHaveLength(2)
  })

  it('a turn whose events have expired is told from the transcript', async () => {
    const app = await startApp({ script: () => 'Kept.', idleMs: 1 })
    const { id } = await app.createSession()
    await app.say(id, 'Hello', 'm1')
    await app.runtime.store.events.deleteBefore(Date.now() + 1)
    const events = await app.say(id, 'Hello', 'm1')
    expect(typesOf(events)).toEqual(['message-stored', 'response-complete', 'done'])
    expect(events[1]).toMatchObject({ turnId: 'm1', text: 'Kept.' })
  })

  it.each([
    ['failed', { fails: new Error('no such key') }, ['message-stored', 'error', 'done']],
    ['was followed by another', 'Kept.', ['message-stored', 'response-complete', 'done']],
  ] as const)('also one that %s', async (_what, reply, told) => {
    const app = await startApp({ script: () => reply })
    const { id } = await app.createSession({ title: 'Named' })
    await app.say(id, 'Hello', 'm1')
    await app.say(id, 'More', 'm2')
    await app.runtime.store.events.deleteBefore(Date.now() + 1)
    expect(typesOf(await app.say(id, 'Hello', 'm1'))).toEqual(told)
  })

  it('a failed turn had lost its reason with its events: it is told as it was', async () => {
    const app = await startApp({ script: () => ({ fails: createHttpError({ status: 401, message: 'no such key' }) }) })
    const { id } = await app.createSession({ title: 'Named' })
    const told = (events: readonly SessionEvent[]) => events.find(({ type }) => type === 'error')
    const live = told(await app.say(id, 'Hello', 'm1'))
    expect(live).toMatchObject({ code: 'provider-auth', message: 'no such key' })
    await app.say(id, 'More', 'm2')
    await app.runtime.store.events.deleteBefore(Date.now() + 1)
    expect(told(await app.say(id, 'Hello', 'm1'))).toEqual(live)
    const { items } = listOf(messageSchema).parse(await list(app, id))
    expect(items[1]?.failure).toEqual({ code: 'provider-auth', message: 'no such key' })
  })

  it('and so is one that the inbox has forgotten', async () => {
    const app = await startApp({ idleMs: 1 })
    const { id } = await app.createSession()
    await app.say(id, 'Hello', 'm1')
    await app.runtime.store.inbox.deleteSettledBefore(Date.now() + 1)
    expect(typesOf(await app.say(id, 'Hello', 'm1'))).toContain('response-complete')
    const other = await app.request('POST', path(id), { text: 'Something else', id: 'm1' })
    expect(other.status).toBe(409)
  })

  it('a message whose answer is still to come says so; an imported one owes nobody an answer', async () => {
    const answer = Promise.withResolvers<string>()
    const app = await startApp({ script: () => answer.promise })
    const { id } = await app.createSession({ title: 'Named' })
    const turn = await app.request('POST', path(id), { text: 'One', id: 'm1' })
    await nextOfType(turn, 'message-stored')
    await expect.poll(async () => (await list(app, id)).items.at(-1)).toMatchObject({ id: 'm1', owed: true })
    answer.resolve('First.')
    await expect.poll(async () => (await list(app, id)).items.map(({ owed }) => owed)).toEqual([undefined, undefined])
    const chat = JSON.stringify({ messages: [{ role: 'user', content: 'Is anybody there?' }] })
    const [imported] = (await importTranscript(app.runtime.store, chat)).sessions
    const { items } = await list(app, imported?.id ?? '')
    expect(items).toMatchObject([{ role: 'user' }])
    expect(items[0]).not.toHaveProperty('owed')
  })

  it('another text under the same id is id-conflict', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    await app.say(id, 'Hello', 'm1')
    const response = await app.request('POST', path(id), { text: 'Goodbye', id: 'm1' })
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ error: { code: 'id-conflict', retryable: false } })
  })

  it('a message sent meanwhile queues, visibly, and is answered after', async () => {
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const app = await startApp({ script: (_request, turn) => answers[turn]?.promise ?? 'Title' })
    const { id } = await app.createSession({ title: 'Named' })
    const first = await app.request('POST', path(id), { text: 'One', id: 'm1' })
    await nextOfType(first, 'message-stored')
    const second = await app.request('POST', path(id), { text: 'Two', id: 'm2' })
    const { items } = await list(app, id)
    expect(items.at(-1)).toMatchObject({ id: 'm2', seq: null, queued: true, role: 'user' })
    answers[0]?.resolve('First.')
    answers[1]?.resolve('Second.')
    const events = await collectEvents(second)
    expect(events[1]).toMatchObject({ type: 'queued', position: expect.any(Number) })
    expect(events).toContainEqual(expect.objectContaining({ type: 'response-complete', text: 'Second.' }))
    const roles = (await list(app, id)).items.map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  it('a failed turn ends with error and done', async () => {
    const app = await startApp({ script: () => ({ fails: new Error('no such key') }) })
    const { id } = await app.createSession()
    expect(typesOf(await app.say(id, 'Hello')).slice(-2)).toEqual(['error', 'done'])
  })

  it('ends when its session is erased', async () => {
    const app = await startApp({ script: () => ({ hangs: true }) })
    const { id } = await app.createSession({ title: 'Named' })
    const turn = await app.request('POST', path(id), { text: 'Hello' })
    await app.request('DELETE', `/api/sessions/${id}?purge=true`)
    expect(typesOf(await collectEvents(turn))).toEqual(['message-stored', 'done'])
  })

  it('attachments are stored with the message', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const image = { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' }
    await collectEvents(await app.request('POST', path(id), { text: 'See', attachments: [image] }))
    expect((await list(app, id)).items[0]?.parts).toEqual([{ type: 'text', text: 'See' }, image])
    const address = { type: 'image', image: 'https://example.org/a.png', mediaType: 'image/png' }
    const refused = await app.request('POST', path(id), { text: 'See', attachments: [address] })
    expect(refused.status).toBe(400)
  })

  it('nothing to say, no session, or a server that stops: refused', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    expect((await app.request('POST', path(id), { text: '  ' })).status).toBe(400)
    expect((await app.request('POST', path('none'), { text: 'Hello' })).status).toBe(404)
    app.drain()
    const response = await app.request('POST', path(id), { text: 'Hello' })
    expect(response.status).toBe(503)
    expect((await app.request('GET', '/api/ready')).status).toBe(503)
    expect((await app.request('GET', '/api/health')).status).toBe(200)
  })
})

describe('GET /api/sessions/:id/messages', () => {
  it('pages onwards and backwards by seq', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    for (const text of ['One', 'Two', 'Three']) await app.say(id, text)
    const all = (await list(app, id)).items
    expect(all).toHaveLength(6)
    const seen: Message[] = []
    for (let after: string | null = '0'; after !== null;) {
      const page: List<Message> = await list(app, id, `?limit=4&after=${after}`)
      seen.push(...page.items)
      after = page.next
    }
    expect(seen).toEqual(all)
    const newest = await list(app, id, '?limit=4&before=999999999')
    expect(newest.items).toEqual(all.slice(2))
    const oldest = await list(app, id, `?limit=4&before=${newest.next}`)
    expect(oldest).toEqual({ items: all.slice(0, 2), next: null })
  })

  it('a page ends before it grows too large, and always holds something', async () => {
    const app = await startApp()
    const text = 'x'.repeat(5_000_000)
    const said = (seq: number, size: string): Entry => {
      const parts = [{ type: 'text', text: size }] as const
      return { type: 'message', seq, id: `e${seq}`, at: seq, role: 'user', parts }
    }
    const entries = [said(1, text + text), said(2, text), said(3, 'Small'), said(4, text)]
    await app.runtime.store.sessions.create({ id: 'large', createdAt: 1, entries })
    const idsOf = ({ items }: List<Message>): readonly string[] => items.map(({ id }) => id)
    const first = await list(app, 'large')
    expect(idsOf(first)).toEqual(['e1'])
    const second = await list(app, 'large', `?after=${first.next}`)
    expect(idsOf(second)).toEqual(['e2', 'e3'])
    expect(idsOf(await list(app, 'large', `?after=${second.next}`))).toEqual(['e4'])
    expect(idsOf(await list(app, 'large', '?before=5'))).toEqual(['e3', 'e4'])
  })

  it('a limit is clamped, a cursor that is no number is refused', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    await app.say(id, 'One')
    expect((await list(app, id, '?limit=0')).items).toHaveLength(1)
    expect((await list(app, id, '?limit=many')).items).toHaveLength(2)
    expect((await list(app, id, '?limit=2&limit=1')).items).toHaveLength(1)
    expect((await list(app, id, `?limit=${'9'.repeat(100)}`)).items).toHaveLength(2)
    expect((await app.request('GET', `${path(id)}?after=soon`)).status).toBe(400)
  })
})

/** Reads no further. */
async function nextOfType(response: Response, type: SessionEvent['type']): Promise<SessionEvent | null> {
  for await (const { event } of readEvents(response)) if (event.type === type) return event
  return null
}
