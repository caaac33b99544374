import { expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

const PAGE = '<script>alert(1)</script> ☂ '.repeat(2_000)

it('LH-02 gives the whole output of a tool, or a part of it, as text that no browser runs', async () => {
  const app = await startApp()
  const { id } = await app.createSession()
  await app.runtime.store.artifacts.put({ sessionId: id, id: 'a/1', at: 1, content: PAGE })
  const read = async (query = '', session = id) =>
    app.request('GET', `/api/sessions/${session}/artifacts/${encodeURIComponent('a/1')}${query}`)
  const whole = await read()
  expect(await whole.text()).toBe(PAGE)
  expect(whole.headers.get('content-type')).toMatch(/^text\/plain/)
  expect(whole.headers.get('x-content-type-options')).toBe('nosniff')
  expect(whole.headers.get('content-disposition')).toMatch(/^attachment/)
  const part = await read('?offset=100&limit=50')
  expect(await part.text()).toBe(PAGE.slice(100, 150))
  expect(part.headers.get('x-total-characters')).toBe(String(PAGE.length))
  expect(await (await read('?offset=99999999')).text()).toBe('')
  expect((await read('?offset=-1')).status).toBe(400)
  expect(await (await read('?limit=0')).text()).toBe(PAGE.slice(0, 1))
  expect(await (await read('?limit=3&limit=5')).text()).toBe(PAGE.slice(0, 5))
})

it('only the session that holds one can read it', async () => {
  const app = await startApp()
  const [one, two] = [await app.createSession(), await app.createSession()]
  await app.runtime.store.artifacts.put({ sessionId: one.id, id: 'a1', at: 1, content: 'secret' })
  expect((await app.request('GET', `/api/sessions/${two.id}/artifacts/a1`)).status).toBe(404)
  expect((await app.request('GET', `/api/sessions/${one.id}/artifacts/a2`)).status).toBe(404)
  await app.request('DELETE', `/api/sessions/${one.id}`)
  expect((await app.request('GET', `/api/sessions/${one.id}/artifacts/a1`)).status).toBe(404)
})
