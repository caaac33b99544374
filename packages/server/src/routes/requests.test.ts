import { listOf, requestDetailSchema, requestSchema } from '@longhaul/protocol'
import { expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

it('lists what was sent to models, newest first, in pages', async () => {
  const app = await startApp()
  const { id } = await app.createSession({ title: 'Beds' })
  for (const text of ['One', 'Two', 'Three']) await app.say(id, text)
  const read = async (query: string) =>
    listOf(requestSchema).parse(await (await app.request('GET', `/api/sessions/${id}/requests${query}`)).json())
  const all = await read('')
  expect(all.items.map(({ number, itemCount }) => [number, itemCount])).toEqual([
    [3, 5],
    [2, 3],
    [1, 1],
  ])
  expect(all.items[0]).toMatchObject({ model: 'scripted/scripted', window: 32_000, outcome: { result: 'stop' } })
  const first = await read('?limit=2')
  expect(first.items.map(({ number }) => number)).toEqual([3, 2])
  const second = await read(`?before=${first.next}&limit=999999`)
  expect(second).toMatchObject({ items: [{ number: 1 }], next: null })
  expect((await app.request('GET', `/api/sessions/${id}/requests?before=x`)).status).toBe(400)
})

it('says what each was for: turns, and what was asked beside the conversation', async () => {
  const app = await startApp()
  const { id } = await app.createSession({})
  await app.say(id, 'Which bed is dry?')
  while ((await app.runtime.store.sessions.get(id))?.title === null)
    await new Promise((resolve) => setImmediate(resolve))
  const page = listOf(requestSchema).parse(await (await app.request('GET', `/api/sessions/${id}/requests`)).json())
  expect(page.items.map(({ number, purpose }) => [number, purpose])).toEqual([
    [2, 'title'],
    [1, 'turn'],
  ])
  const opened = requestDetailSchema.parse(await (await app.request('GET', `/api/sessions/${id}/requests/2`)).json())
  expect(opened).toMatchObject({ purpose: 'title', exact: false, items: [{ text: 'Which bed is dry?' }, {}] })
})

it('opens a past request: exactly what the model saw', async () => {
  const app = await startApp({ script: (_, index) => `Answer ${index}.` })
  const { id } = await app.createSession({ title: 'Beds' })
  await app.say(id, 'Which bed is dry?', 'm1')
  await app.say(id, 'And now?', 'm2')
  const read = async (number: number | string) => app.request('GET', `/api/sessions/${id}/requests/${number}`)
  const detail = requestDetailSchema.parse(await (await read(1)).json())
  expect(detail).toMatchObject({ number: 1, exact: true, reason: null })
  expect(detail.items.find(({ kind }) => kind === 'user')).toMatchObject({ id: 'user:m1', text: 'Which bed is dry?' })
  expect(detail.items.every(({ text }) => text !== null && text !== '')).toBe(true)
  expect(JSON.stringify(detail.items)).not.toContain('And now?')
  expect((await read(7)).status).toBe(404)
  expect((await read('x')).status).toBe(400)
  expect((await read(-1)).status).toBe(400)
})
