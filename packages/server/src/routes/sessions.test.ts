import type { List, Session } from '@longhaul/protocol'
import type { Store } from '@longhaul/runtime'
import { describe, expect, it } from 'vitest'
import { collectEvents, createFolder, startApp, typesOf } from '../testing/start-app.ts'
import type { AppUnderTest } from '../testing/start-app.ts'

async function read(response: Response, status = 200): Promise<Session> {
  expect(response.status).toBe(status)
  return (await response.json()) as Session
}

async function expectError(response: Response, status: number, code: string): Promise<void> {
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status, body: { error: { code } } })
}

async function list(app: AppUnderTest, query = ''): Promise<List<Session>> {
  const response = await app.request('GET', `/api/sessions${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as List<Session>
}

describe('POST /api/sessions', () => {
  it('creates a session as it was wished for', async () => {
    const app = await startApp()
    const response = await app.request('POST', '/api/sessions', {
      title: 'Garden',
      preset: 'openclaw',
      policy: { bootstrapMaxChars: 10_000 },
    })
    const session = await read(response, 201)
    expect(session).toMatchObject({
      title: 'Garden',
      model: 'scripted/scripted',
      preset: 'openclaw',
      policy: { bootstrapMaxChars: 10_000 },
      messageCount: 0,
      lastMessagePreview: null,
      tokens: { window: 32_000, source: 'estimated', input: 0, output: 0 },
      cost: 0,
      compactionCount: 0,
    })
    expect(await read(await app.request('GET', `/api/sessions/${session.id}`))).toEqual(session)
  })

  it('needs no body: everything has a default', async () => {
    const app = await startApp()
    await read(await app.requestRaw('/api/sessions', { method: 'POST' }), 201)
    await read(await app.requestRaw('/api/sessions', { method: 'POST', body: '' }), 201)
    const wrong = { method: 'POST', body: 'title=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    await expectError(await app.requestRaw('/api/sessions', wrong), 415, 'invalid-request')
  })

  it('says why not: keys, types, models and presets nobody knows', async () => {
    const app = await startApp()
    const wrong = [
      { colour: 'red' },
      { title: 7 },
      { preset: 'none' },
      { model: 'no/such' },
      { policy: { compaction: 1 } },
      [],
    ]
    for (const body of wrong)
      await expectError(await app.request('POST', '/api/sessions', body), 400, 'invalid-request')
    expect((await list(app)).items).toEqual([])
  })

  it('OPEN-03 refuses a window that is too small for the preset', async () => {
    const app = await startApp({ windowTokens: 8_000 })
    await expectError(await app.request('POST', '/api/sessions', { preset: 'openclaw' }), 422, 'window-too-small')
  })

  it('the same Idempotency-Key is the same session, after a restart too', async () => {
    const folder = await createFolder()
    const key = { 'idempotency-key': 'retry-1' }
    const app = await startApp({ folder })
    const made = await read(await app.request('POST', '/api/sessions', { title: 'Garden' }, key), 201)
    expect(await read(await app.request('POST', '/api/sessions', { title: 'Garden' }, key), 201)).toEqual(made)
    await expectError(await app.request('POST', '/api/sessions', { title: 'House' }, key), 409, 'id-conflict')
    await app.runtime.close()
    const again = await startApp({ folder })
    const after = await read(await again.request('POST', '/api/sessions', { title: 'Garden' }, key), 201)
    expect(after.id).toBe(made.id)
    expect((await list(again)).items).toHaveLength(1)
  })
})

describe('GET /api/sessions', () => {
  it('lists the newest change first, in pages, and finds words', async () => {
    const app = await startApp()
    const garden = await app.createSession({ title: 'Garden' })
    const house = await app.createSession({ title: 'House' })
    await app.say(garden.id, 'The roses need water')
    const all = await list(app)
    expect(all.items.map(({ id }) => id)).toEqual([garden.id, house.id])
    expect(all.items[0]).toMatchObject({ messageCount: 2, lastMessagePreview: 'Fine.' })
    expect(all.items[0]?.tokens.input).toBeGreaterThan(0)
    const first = await list(app, '?limit=1')
    const second = await list(app, `?limit=1&after=${encodeURIComponent(first.next ?? '')}`)
    expect([first, second].map(({ items }) => items[0]?.id)).toEqual([garden.id, house.id])
    expect((await list(app, '?query=roses')).items.map(({ id }) => id)).toEqual([garden.id])
    expect((await list(app, '?query=tulips')).items).toEqual([])
    await expectError(await app.request('GET', '/api/sessions?after=nowhere'), 400, 'invalid-request')
  })

  it('a session that is not there is not found', async () => {
    const app = await startApp()
    await expectError(await app.request('GET', '/api/sessions/none'), 404, 'not-found')
  })
})

describe('PATCH /api/sessions/:id', () => {
  it('changes title, preset and policy together', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const change = { title: 'Roses', preset: 'micro', policy: { compaction: { triggerTokens: 20_000 } } }
    expect(await read(await app.request('PATCH', `/api/sessions/${id}`, change))).toMatchObject(change)
  })

  it('a policy is looked at together with the preset that the session has', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ preset: 'openclaw' })
    // Below the softTrimRatio of the default preset, above that of this one.
    const policy = { contextPruning: { hardClearRatio: 0.4 } }
    const changed = await app.request('PATCH', `/api/sessions/${id}`, { policy })
    expect(await read(changed)).toMatchObject({ preset: 'openclaw', policy })
    await expectError(
      await app.request('PATCH', `/api/sessions/${id}`, { policy: { compaction: 1 } }),
      400,
      'invalid-request',
    )
  })

  it('during a turn: 202, and all of it is done after the turn, once', async () => {
    const answer = Promise.withResolvers<string>()
    const app = await startApp({ script: () => answer.promise })
    const { id } = await app.createSession({ title: 'Garden' })
    const turn = await app.request('POST', `/api/sessions/${id}/messages`, { text: 'Hello' })
    const change = (signal?: AbortSignal): Promise<Response> =>
      app.requestRaw(`/api/sessions/${id}`, {
        method: 'PATCH',
        body: JSON.stringify({ title: 'Roses', model: 'offline/extractive' }),
        headers: { 'content-type': 'application/json', 'idempotency-key': 'change-1' },
        ...(signal === undefined ? {} : { signal }),
      })
    expect((await change(AbortSignal.timeout(50))).status).toBe(202)
    expect((await change(AbortSignal.timeout(50))).status).toBe(202)
    answer.resolve('Done.')
    await collectEvents(turn)
    expect(await read(await change())).toMatchObject({ title: 'Roses', model: 'offline/extractive' })
    const other = { 'idempotency-key': 'change-1' }
    await expectError(await app.request('PATCH', `/api/sessions/${id}`, { title: 'Tulips' }, other), 409, 'id-conflict')
    const entries = await app.runtime.store.entries.read(id, {})
    expect(entries.filter((entry) => entry.type === 'settings' && entry.title === 'Roses')).toHaveLength(1)
  })

  it('switches the model', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const changed = await app.request('PATCH', `/api/sessions/${id}`, { model: 'offline/extractive' })
    expect(await read(changed)).toMatchObject({ model: 'offline/extractive' })
  })

  it('refuses what does not hold, and changes nothing then', async () => {
    const app = await startApp()
    const session = await app.createSession({ title: 'Garden' })
    const wrong = [{}, { title: 'X', model: 'no/such' }, { preset: 'none' }, { title: null }, { id: 'x' }]
    for (const change of wrong)
      await expectError(await app.request('PATCH', `/api/sessions/${session.id}`, change), 400, 'invalid-request')
    expect(await read(await app.request('GET', `/api/sessions/${session.id}`))).toEqual(session)
    await expectError(await app.request('PATCH', '/api/sessions/none', { title: 'X' }), 404, 'not-found')
  })
})

describe('DELETE /api/sessions/:id', () => {
  it('hides a session: it is listed, read and written to no more', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    await app.say(id, 'Hello')
    expect((await app.request('DELETE', `/api/sessions/${id}`)).status).toBe(204)
    expect((await list(app)).items).toEqual([])
    await expectError(await app.request('GET', `/api/sessions/${id}`), 404, 'not-found')
    await expectError(await app.request('POST', `/api/sessions/${id}/messages`, { text: 'Hi' }), 404, 'not-found')
    await expectError(await app.request('DELETE', `/api/sessions/${id}`), 404, 'not-found')
    expect(await app.runtime.store.entries.read(id, {})).not.toEqual([])
  })

  it('stops what is under way: nobody would hear of it', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const app = await startApp({
      script: () => {
        resolve()
        return { hangs: true }
      },
    })
    const { id } = await app.createSession({ title: 'Named' })
    const turn = await app.request('POST', `/api/sessions/${id}/messages`, { text: 'Hello' })
    await asked
    expect((await app.request('DELETE', `/api/sessions/${id}`)).status).toBe(204)
    expect(typesOf(await collectEvents(turn)).at(-1)).toBe('done')
    expect((await app.runtime.store.entries.read(id, {})).at(-1)).toMatchObject({ finish: 'aborted' })
  })

  it('ends the stream of a message that nobody had begun with', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Named' })
    const { store } = app.runtime
    // Another server owns it, and has not come to it.
    const elsewhere = await store.leases.acquire(id, { id: 'elsewhere', host: 'another', pid: 1, startedAt: '' })
    if (!elsewhere.ok) throw new Error('The session is taken.')
    const turn = await app.request('POST', `/api/sessions/${id}/messages`, { text: 'Hello' })
    expect((await app.request('DELETE', `/api/sessions/${id}`)).status).toBe(204)
    await store.leases.release(elsewhere.lease)
    expect(typesOf(await collectEvents(turn)).at(-1)).toBe('done')
    expect(await store.inbox.list(id)).toMatchObject([{ kind: 'message' }, { kind: 'cancel' }])
  })

  it('with purge, nothing of it is left, hidden or not', async () => {
    const app = await startApp()
    const shown = await app.createSession()
    const hidden = await app.createSession()
    await app.say(hidden.id, 'Hello')
    await app.request('DELETE', `/api/sessions/${hidden.id}`)
    for (const { id } of [shown, hidden]) {
      expect((await app.request('DELETE', `/api/sessions/${id}?purge=true`)).status).toBe(204)
      expect(await app.runtime.store.sessions.get(id)).toBeNull()
      expect(await app.runtime.store.entries.read(id, {})).toEqual([])
      await expectError(await app.request('DELETE', `/api/sessions/${id}?purge=true`), 404, 'not-found')
    }
  })
})

describe('what a session says of its compaction', () => {
  const TALK = 'The soil is dry, the tank is half full and the pump runs at seven. '.repeat(20)

  async function fill(app: AppUnderTest): Promise<Session> {
    const session = await app.createSession({
      title: 'Beds',
      preset: 'oneclaw',
      policy: { compaction: { keepMessages: 4 } },
    })
    for (let turn = 1; turn <= 5; turn += 1) await app.say(session.id, `Message ${turn}. ${TALK}`, `m${turn}`)
    return session
  }

  const SUMMARY = 'They water the beds at seven. The soil is dry, the tank is half full, and the pump runs. '
    .repeat(3)
    .trim()
  const script = ({ tools = [] }: { readonly tools?: readonly unknown[] | undefined }) =>
    tools.length === 0 ? SUMMARY : `Noted. ${TALK}`

  it('ONE-19 has the summary in force and where what is kept begins, null before the first compaction', async () => {
    const app = await startApp({ script })
    const before = await fill(app)
    const { id } = before
    const nothing = { compactedSummary: null, compactBoundaryTimestamp: null }
    expect(before).toMatchObject(nothing)
    expect((await list(app)).items).toMatchObject([nothing])
    expect((await app.request('POST', `/api/sessions/${id}/compact`)).status).toBe(200)
    const messages = await app.request('GET', `/api/sessions/${id}/messages`)
    const { items } = (await messages.json()) as List<{ readonly at: number }>
    const something = {
      compactedSummary: SUMMARY,
      compactBoundaryTimestamp: items.at(-4)?.at,
    }
    expect(await read(await app.request('GET', `/api/sessions/${id}`))).toMatchObject(something)
    expect(await read(await app.request('PATCH', `/api/sessions/${id}`, { title: 'Pumps' }))).toMatchObject(something)
    expect((await list(app)).items).toMatchObject([something])
    await app.request('POST', `/api/sessions/${id}/undo`)
    expect(await read(await app.request('GET', `/api/sessions/${id}`))).toMatchObject(nothing)
    await app.request('POST', `/api/sessions/${id}/compact`)
    await app.request('POST', `/api/sessions/${id}/reset`)
    expect(await read(await app.request('GET', `/api/sessions/${id}`))).toMatchObject(nothing)
  })

  it('ONE-19 a list reads no entry of what was told before', async () => {
    let reads = 0
    const countReads = (entries: Store['entries']): Store['entries'] =>
      new Proxy(entries, {
        get(target, name: keyof Store['entries']) {
          if (name !== 'append') reads += 1
          return target[name]
        },
      })
    const app = await startApp({
      script,
      instruments: { models: (models) => models, store: (store) => ({ ...store, entries: countReads(store.entries) }) },
    })
    const { id } = await fill(app)
    await app.createSession({ title: 'Empty' })
    await app.request('POST', `/api/sessions/${id}/compact`)
    const told = await read(await app.request('GET', `/api/sessions/${id}`))
    reads = 0
    const { items } = await list(app)
    expect(items.find((session) => session.id === id)).toMatchObject({ compactedSummary: told.compactedSummary })
    expect(reads).toBe(0)
  })
})

describe('what a session has cost', () => {
  it('a price that nobody knows is null, never 0; before the first call it is 0', async () => {
    const app = await startApp()
    const { id, cost } = await app.createSession({ title: 'Garden' })
    expect(cost).toBe(0)
    await app.say(id, 'Hello', 'm1')
    expect(await read(await app.request('GET', `/api/sessions/${id}`))).toMatchObject({ cost: null, unpricedCalls: 1 })
    const status = await app.request('GET', `/api/sessions/${id}/status`)
    expect(await status.json()).toMatchObject({ costUsd: null, unpricedCalls: 1 })
  })

  it('a price that is known is added up', async () => {
    const source = '{ models: { "scripted/scripted": { price: { input: 1000, output: 1000 } } } }'
    const app = await startApp({ source })
    const { id } = await app.createSession()
    await app.say(id, 'Hello', 'm1')
    const session = await read(await app.request('GET', `/api/sessions/${id}`))
    expect(session.cost).toBeGreaterThan(0)
    expect(session.unpricedCalls).toBe(0)
  })
})

describe('a small window', () => {
  const WORDS = /^The context window is 16000 tokens .* below 32000 a conversation is summarised often/

  it('OPEN-20 warns in the answer to its creation, on the stream of the first message and in the status', async () => {
    const app = await startApp({ windowTokens: 16_000 })
    const session = await read(await app.request('POST', '/api/sessions', { title: 'Small' }), 201)
    expect(session.warnings).toStrictEqual([expect.stringMatching(WORDS)])
    const warningsOf = async (id: string) =>
      (await app.say(session.id, 'Hello', id)).filter(({ type }) => type === 'context-warning')
    expect(await warningsOf('m1')).toStrictEqual([
      { turnId: 'm1', type: 'context-warning', percent: expect.any(Number), message: session.warnings[0] },
    ])
    expect(await warningsOf('m2')).toStrictEqual([])
    const status = await app.request('GET', `/api/sessions/${session.id}/status`)
    expect(await status.json()).toMatchObject({ warnings: session.warnings })
    const command = await app.request('POST', `/api/sessions/${session.id}/commands`, { line: '/status' })
    expect(await command.json()).toMatchObject({ status: { warnings: session.warnings } })
    expect((await list(app)).items).toMatchObject([{ warnings: session.warnings }])
  })

  it('OPEN-20 says nothing where the window is large enough', async () => {
    const app = await startApp({ windowTokens: 32_000 })
    const { id, warnings } = await app.createSession()
    expect(warnings).toStrictEqual([])
    expect(typesOf(await app.say(id, 'Hello', 'm1'))).not.toContain('context-warning')
  })
})
