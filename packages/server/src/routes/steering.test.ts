import { readEvents } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { collectEvents, startApp, typesOf } from '../testing/start-app.ts'
import type { AppUnderTest } from '../testing/start-app.ts'

const LONG = 'The pump on bed seven draws 4.2 amperes and stops after nine minutes. '.repeat(40)

async function fill(app: AppUnderTest, turns = 4): Promise<string> {
  const { id } = await app.createSession({ title: 'Pumps' })
  for (let turn = 0; turn < turns; turn += 1) await app.say(id, `Report ${turn}: ${LONG}`)
  return id
}

async function expectError(response: Response, status: number, code: string): Promise<void> {
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status, body: { error: { code } } })
}

describe('POST /api/sessions/:id/reset', () => {
  it('OPEN-02 clears the context; the transcript stays readable', async () => {
    const app = await startApp()
    const id = await fill(app, 1)
    expect((await app.request('POST', `/api/sessions/${id}/reset`)).status).toBe(204)
    const view = await app.runtime.agent.inspect(id)
    expect(view.context.state.window.end - view.context.state.window.start).toBe(0)
    expect((await app.runtime.store.sessions.get(id))?.head.totals.messages).toBe(2)
  })
})

describe('POST /api/sessions/:id/cancel', () => {
  it('stops the turn under way; 409 where there is none', async () => {
    const app = await startApp({ script: () => ({ hangs: true }) })
    const { id } = await app.createSession({ title: 'Named' })
    await expectError(await app.request('POST', `/api/sessions/${id}/cancel`), 409, 'invalid-request')
    const turn = await app.request('POST', `/api/sessions/${id}/messages`, { text: 'Hello' })
    expect((await app.request('POST', `/api/sessions/${id}/cancel`)).status).toBe(204)
    expect(typesOf(await collectEvents(turn)).at(-1)).toBe('done')
    const entries = await app.runtime.store.entries.read(id, {})
    expect(entries.at(-1)).toMatchObject({ role: 'assistant', finish: 'aborted' })
  })

  it('409 once a turn is over, also where the session got its title after that', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const events = await app.request('GET', `/api/sessions/${id}/events`)
    await app.say(id, 'Water the beds.')
    for await (const { event } of readEvents(events)) if (event.type === 'titled') break
    await expectError(await app.request('POST', `/api/sessions/${id}/cancel`), 409, 'invalid-request')
  })
})

describe('POST /api/sessions/:id/approvals/:callId', () => {
  it('lets a call run that waits for it', async () => {
    const call = { id: 'c1', name: 'write_file', input: { path: 'a.txt', content: 'beds' } }
    const app = await startApp({
      source: '{ tools: { permissions: { write_file: "ask" } } }',
      script: (_request, turn) => (turn === 0 ? { toolCalls: [call] } : 'Written.'),
    })
    const { id } = await app.createSession({ title: 'Named' })
    const person = await app.openAsPerson()
    const approve = (callId: string, body: unknown): Promise<Response> =>
      app.request('POST', `/api/sessions/${id}/approvals/${callId}`, body, person)
    await expectError(await approve('c1', { allow: true }), 404, 'not-found')
    const events: string[] = []
    const turn = await app.request('POST', `/api/sessions/${id}/messages`, { text: 'Write it down' })
    for await (const { event } of readEvents(turn)) {
      events.push(event.type)
      if (event.type !== 'approval-needed') continue
      await expectError(await approve('c1', { allow: 'yes' }), 400, 'invalid-request')
      await expectError(await approve('c2', { allow: true }), 404, 'not-found')
      expect((await approve('c1', { allow: true })).status).toBe(204)
    }
    expect(events).toEqual(expect.arrayContaining(['approval-needed', 'approval-settled', 'tool-result', 'done']))
    await expectError(await approve('c1', { allow: true }), 404, 'not-found')
  })

  it('anybody may refuse; only a client that a person opened may allow', async () => {
    const call = { id: 'c1', name: 'write_file', input: { path: 'a.txt', content: 'beds' } }
    const app = await startApp({
      source: '{ tools: { permissions: { write_file: "ask" } } }',
      script: (_request, turn) => (turn === 0 ? { toolCalls: [call] } : 'As you like.'),
    })
    const { id } = await app.createSession({ title: 'Named' })
    const turn = await app.request('POST', `/api/sessions/${id}/messages`, { text: 'Write it down' })
    for await (const { event } of readEvents(turn)) {
      if (event.type !== 'approval-needed') continue
      const path = `/api/sessions/${id}/approvals/c1`
      await expectError(await app.request('POST', path, { allow: true }), 403, 'forbidden')
      const stranger = { cookie: 'longhaul-80=guessed' }
      await expectError(await app.request('POST', path, { allow: true }, stranger), 403, 'forbidden')
      expect((await app.request('POST', path, { allow: false })).status).toBe(204)
    }
    const entries = await app.runtime.store.entries.read(id, {})
    expect(entries.find((entry) => entry.type === 'message' && entry.role === 'tool')).toMatchObject({
      parts: [{ isError: true }],
    })
  })
})
