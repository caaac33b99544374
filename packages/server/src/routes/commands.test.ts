import { commandHelpSchema, commandResultSchema, listOf } from '@longhaul/protocol'
import { expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

const LINES = [
  '/status',
  '/context list',
  '/context detail',
  '/context json',
  '/pin The gate is green.',
  '/pins',
  '/unpin 1',
  '/recall gate',
  '/memory',
  '/model',
  '/preset openclaw',
  '/new',
  '/reset',
  '/help',
]

it('lists the slash commands and runs each as the terminal does', async () => {
  const app = await startApp()
  const { id } = await app.createSession()
  await app.say(id, 'The gate is green.')
  const { items } = listOf(commandHelpSchema).parse(await (await app.request('GET', '/api/commands')).json())
  expect(items.map(({ usage }) => usage)).toContain('/compact [instructions]')
  for (const line of LINES) {
    const response = await app.request('POST', `/api/sessions/${id}/commands`, { line })
    expect(response.status, line).toBe(200)
    const result = commandResultSchema.parse(await response.json())
    expect(line).toContain(`/${result.command}`)
  }
})

it('/new answers with a session that can be used at once', async () => {
  const app = await startApp()
  const { id } = await app.createSession({ preset: 'micro' })
  const response = await app.request('POST', `/api/sessions/${id}/commands`, { line: '/new' })
  const result = commandResultSchema.parse(await response.json())
  if (result.command !== 'new') throw new Error('another command ran')
  expect(result.session).toMatchObject({ preset: 'micro', messageCount: 0 })
  expect((await app.say(result.session.id, 'Hello')).at(-1)).toMatchObject({ type: 'done' })
})

it.each([
  ['/undo', 409, 'nothing-to-undo'],
  ['/compact', 409, 'nothing-to-compact'],
  ['/compct', 400, 'invalid-request'],
  ['hello', 400, 'invalid-request'],
  ['/unpin 7', 400, 'invalid-request'],
])('%s is refused in its own words', async (line, status, code) => {
  const app = await startApp()
  const { id } = await app.createSession()
  const response = await app.request('POST', `/api/sessions/${id}/commands`, { line })
  expect(await response.json()).toMatchObject({ error: { code } })
  expect(response.status).toBe(status)
})

it('under the same key a command is carried out once, and another one is refused', async () => {
  const app = await startApp()
  const { id } = await app.createSession()
  const send = async (line: string, sessionId = id) => {
    const response = await app.request(
      'POST',
      `/api/sessions/${sessionId}/commands`,
      { line },
      { 'idempotency-key': line[1] ?? '' },
    )
    return { status: response.status, answer: await response.json() }
  }
  const pinned = await send('/pin The gate is green.')
  expect(await send('/pin The gate is green.')).toEqual(pinned)
  expect(await send('/pin The gate is red.')).toMatchObject({ status: 409, answer: { error: { code: 'id-conflict' } } })
  expect(await (await app.request('GET', `/api/sessions/${id}/pins`)).json()).toMatchObject({ items: [{}] })
  const [fresh, twin] = await Promise.all([send('/new'), send('/new')])
  expect([twin, await send('/new')]).toEqual([fresh, fresh])
  expect((await app.runtime.store.sessions.list({})).items).toHaveLength(2)
  const other = await app.createSession()
  expect(await send('/new', other.id)).toMatchObject({ status: 200 })
  expect((await app.runtime.store.sessions.list({})).items).toHaveLength(4)
})
