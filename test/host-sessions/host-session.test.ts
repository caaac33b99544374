import type { Message, NumberedEvent } from '@longhaul/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startShared } from './start-shared.ts'
import type { Shared } from './start-shared.ts'

const HOLD = 'This conversation is kept by pi.'

const textOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')

async function readAll({ client, host }: Shared): Promise<readonly string[]> {
  const texts: string[] = []
  for (let after: string | null = '0'; after !== null;) {
    const page: Awaited<ReturnType<typeof client.listMessages>> = await client.listMessages(host.id, {
      after,
      limit: 7,
    })
    texts.push(...page.items.map((message) => textOf(message).slice(0, 12)))
    after = page.next
  }
  return texts
}

/** The events of the session from now on. */
async function follow({ client, host }: Shared): Promise<AsyncGenerator<NumberedEvent>> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const begun = Promise.withResolvers<void>()
  const events = client.follow(host.id, { signal: leaving.signal, onStart: () => begun.resolve() })
  const first = events.next()
  await begun.promise
  return (async function* () {
    const { value, done } = await first
    if (done !== true) yield value
    yield* events
  })()
}

describe('a session that a host keeps, in another process', () => {
  it('is shown: origin, messages, context, compactions, requests, marks, status, recall', async () => {
    const shared = await startShared()
    const { client, host } = shared
    await host.order({ do: 'talk', turns: 60 })
    const [listed] = (await client.listSessions()).items
    expect(listed).toMatchObject({ id: 'pi-garden', origin: 'pi', model: 'fake/model', preset: 'longhaul' })
    expect((await client.createSession()).origin).toBeNull()
    const session = await client.getSession(host.id)
    expect(session.compactionCount).toBeGreaterThan(1)
    expect(session.tokens).toMatchObject({ window: 32_000, source: 'reported' })
    expect(session.compactedSummary).toContain('plant every bed')

    const { items: compactions } = await client.listCompactions(host.id)
    expect(compactions).toHaveLength(session.compactionCount)
    expect(compactions.every(({ coveredIds, undone }) => coveredIds.length > 0 && !undone)).toBe(true)
    const context = await client.getContext(host.id)
    expect(context.items.some(({ kind }) => kind === 'summary')).toBe(true)
    expect(context.items.some(({ kind }) => kind === 'system' || kind === 'tools')).toBe(false)
    expect((await client.getStatus(host.id)).origin).toBe('pi')
    const marks = (await client.listMarks(host.id)).items.map(({ kind }) => kind)
    expect(marks.filter((kind) => kind === 'compaction')).toHaveLength(session.compactionCount)
    const { items: requests } = await client.listRequests(host.id, { limit: 3 })
    expect(requests[0]).toMatchObject({ model: 'fake/model', purpose: 'turn' })
    const detail = await client.getRequest(host.id, requests[0]?.number ?? 0)
    expect(detail).toMatchObject({ exact: true, reason: null })
    expect((await client.recall(host.id, 'Bed 3')).items.length).toBeGreaterThan(0)
    expect(await readAll(shared)).toHaveLength(119)
  })

  it('a system prompt that the host keeps is measured, and said not to be stored', async () => {
    const { client, host } = await startShared({ system: 'Be terse. '.repeat(800) })
    await host.order({ do: 'talk', turns: 4 })
    // The account of a request is written a moment after the host was given its list.
    await expect.poll(async () => (await client.listRequests(host.id)).items.length).toBeGreaterThan(0)
    const { items, used } = await client.getContext(host.id)
    const own = items.find(({ kind }) => kind === 'system')
    expect(own?.label).toBe('system prompt and tools of pi')
    expect(own?.tokens).toBeGreaterThan(500)
    expect(used).toBeGreaterThan(own?.tokens ?? Infinity)
    const [request] = (await client.listRequests(host.id)).items
    const detail = await client.getRequest(host.id, request?.number ?? 0)
    expect(detail.reason).toContain('System prompt and tools are kept by pi')
  })

  it('only the branch in force is shown, whichever way it is read', async () => {
    const shared = await startShared()
    const { client, host } = shared
    await host.order({ do: 'talk', turns: 4 })
    await host.order({ do: 'branch', back: 4, text: 'Another way' })
    await host.order({ do: 'say', text: 'And on' })
    const expected = [
      'Bed 1: The s',
      'Noted: Bed 1',
      'Bed 2: The s',
      'Noted: Bed 2',
      'Another way',
      'Noted: Anoth',
      'And on',
    ]
    expect(await readAll(shared)).toEqual(expected)
    const backwards = await client.listMessages(host.id, { before: '999999999', limit: 3 })
    expect(backwards.items.map((message) => textOf(message).slice(0, 12))).toEqual(expected.slice(-3))
    const earlier = await client.listMessages(host.id, { before: backwards.next ?? '', limit: 9 })
    expect(earlier.items.map((message) => textOf(message).slice(0, 12))).toEqual(expected.slice(0, -3))
    const context = (await client.getContext(host.id)).items.filter(({ kind }) => kind === 'user')
    expect(context.map(({ label }) => label.slice(0, 11))).toEqual([
      'Bed 1: The ',
      'Bed 2: The ',
      'Another way',
      'And on',
    ])
  })

  it('an undo enters the inbox, waits for the host alone, and is told when the host has applied it', async () => {
    const shared = await startShared()
    const { client, host, request } = shared
    await host.order({ do: 'talk', turns: 12 })
    await host.order({ do: 'compact' })
    const before = await client.getSession(host.id)
    const events = await follow(shared)
    const began = performance.now()
    const answer = await request('POST', `/api/sessions/${host.id}/undo`)
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(answer.status).toBe(202)
    const { id, message } = (await answer.json()) as { id: string; message: string }
    expect(message).toBe('This is stored. It will be applied at the next call of pi, which keeps this conversation.')
    const again = (await (await request('POST', `/api/sessions/${host.id}/undo`)).json()) as { id: string }
    expect(again.id).toBe(id)
    // Longer than it takes until an owner's lease runs out, and until abandoned inboxes are taken over.
    await new Promise((resolve) => setTimeout(resolve, 7_000))
    expect((await client.getStatus(host.id)).waiting).toEqual([{ id, kind: 'undo' }])
    expect((await client.getSession(host.id)).messageCount).toBe(before.messageCount)

    await host.order({ do: 'say', text: 'Go on' })
    for await (const { event } of events) {
      if (event.type !== 'request-settled') continue
      expect(event).toMatchObject({ turnId: null, id, outcome: { ok: true } })
      break
    }
    expect((await client.getStatus(host.id)).waiting).toEqual([])
    const { items } = await client.listCompactions(host.id)
    expect(items.filter(({ undone }) => undone)).toHaveLength(1)
  })

  it('compact and pins wait as well; what only the host may do is refused in words', async () => {
    const { client, host, request } = await startShared()
    const path = `/api/sessions/${host.id}`
    await host.order({ do: 'talk', turns: 8 })
    for (const [method, rest, body] of [
      ['POST', '/messages', { text: 'Hello' }],
      ['POST', '/reset', undefined],
      ['POST', '/cancel', undefined],
      ['PATCH', '', { title: 'Mine' }],
      ['PATCH', '', { model: 'nobody/knows' }],
      ['POST', '/commands', { line: '/new' }],
      ['POST', '/commands', { line: '/preset micro' }],
    ] as const) {
      const refusal = await request(method, path + rest, body)
      expect([method, rest, refusal.status]).toEqual([method, rest, 403])
      expect(await refusal.json()).toMatchObject({
        error: { code: 'forbidden', message: expect.stringContaining(HOLD) },
      })
    }
    const chat = { id: host.id, messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] }
    expect((await request('POST', '/api/chat', chat)).status).toBe(403)
    expect((await request('GET', `/api/chat/${host.id}/stream`)).status).toBe(204)
    expect((await request('POST', `${path}/undo`)).status).toBe(409)
    expect((await request('POST', `${path}/compact`, { instructions: 'Keep beds' })).status).toBe(202)
    expect((await request('POST', `${path}/pins`, { text: 'Frost comes early' })).status).toBe(202)
    expect((await request('POST', `${path}/commands`, { line: '/pin No slugs' })).status).toBe(202)
    expect((await request('POST', `${path}/commands`, { line: '/status' })).status).toBe(200)
    expect((await client.getStatus(host.id)).waiting.map(({ kind }) => kind)).toEqual(['compact', 'pin', 'pin'])
    await host.order({ do: 'say', text: 'Go on' })
    await host.order({ do: 'talk', turns: 1 })
    const { items: pins } = await client.listPins(host.id)
    expect(pins.map(({ text }) => text)).toEqual(['Frost comes early', 'No slugs'])
    expect((await request('DELETE', `${path}/pins/${pins[0]?.id}`)).status).toBe(202)
    await host.order({ do: 'say', text: 'And on' })
    expect((await client.listPins(host.id)).items.map(({ text }) => text)).toEqual(['No slugs'])
    expect((await client.getSession(host.id)).compactionCount).toBeGreaterThan(0)
  })

  it('a message without an answer is the host’s to answer, after a restart of the server too', async () => {
    const shared = await startShared()
    const { client, host } = shared
    await host.order({ do: 'say', text: 'Anybody there?' })
    await host.end()
    await follow(shared)
    // Longer than it takes until a turn whose owner died is taken over.
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    const { items } = await client.listMessages(host.id)
    expect(items.map(textOf)).toEqual(['Anybody there?'])
    expect(items[0]?.owed).toBeUndefined()
  })

  it('what the host adds is told while it happens', async () => {
    const shared = await startShared()
    const { client, host } = shared
    await host.order({ do: 'say', text: 'One' })
    const events = await follow(shared)
    await host.order({ do: 'say', text: 'Two' })
    const { value } = await events.next()
    expect(value?.event).toMatchObject({ type: 'entries-added', turnId: null, types: ['message'] })
    expect((await client.listMessages(host.id)).items.map(textOf)).toEqual(['One', 'Noted: One', 'Two'])
  })

  it('an export comes back as an ordinary session; a purged one begins anew at the host’s next call', async () => {
    const { client, host, request } = await startShared()
    await host.order({ do: 'talk', turns: 12 })
    await host.order({ do: 'compact' })
    await host.order({ do: 'branch', back: 2, text: 'Another way' })
    const text = await (await client.exportSession(host.id)).text()
    const { session, copies } = await client.importSession(text)
    expect(copies).toEqual([{ id: session.id, of: host.id }])
    expect(session.origin).toBeNull()
    expect(session.messageCount).toBe((await client.getSession(host.id)).messageCount)
    const [one, other] = await Promise.all([client.listMessages(host.id), client.listMessages(session.id)])
    expect(other.items.map(textOf)).toEqual(one.items.map(textOf))
    expect((await request('POST', `/api/sessions/${session.id}/undo`)).status).toBe(200)

    await request('POST', `/api/sessions/${host.id}/pins`, { text: 'Nobody will apply this' })
    expect((await request('DELETE', `/api/sessions/${host.id}?purge=true`)).status).toBe(204)
    expect((await request('GET', `/api/sessions/${host.id}`)).status).toBe(404)
    const { warnings } = await host.order({ do: 'say', text: 'Still there?' })
    expect(warnings).toEqual([])
    const { items } = await client.listMessages(host.id)
    expect(textOf(items.at(-1) as Message)).toBe('Still there?')
    expect((await client.getStatus(host.id)).waiting).toEqual([])

    expect((await request('DELETE', `/api/sessions/${host.id}`)).status).toBe(204)
    expect((await client.listSessions()).items.map(({ id }) => id)).toEqual([session.id])
  })
})
