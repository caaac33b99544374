import type { List, Pin, Recalled } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

describe('pins', () => {
  it('are added, listed and taken away', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const list = async (): Promise<List<Pin>> =>
      (await (await app.request('GET', `/api/sessions/${id}/pins`)).json()) as List<Pin>
    const added = await app.request('POST', `/api/sessions/${id}/pins`, { text: 'Metric units' })
    expect(added.status).toBe(201)
    const pin = (await added.json()) as Pin
    expect(pin.text).toBe('Metric units')
    expect(await list()).toEqual({ items: [pin], next: null })
    expect((await app.request('DELETE', `/api/sessions/${id}/pins/${pin.id}`)).status).toBe(204)
    expect(await list()).toEqual({ items: [], next: null })
    expect((await app.request('DELETE', `/api/sessions/${id}/pins/${pin.id}`)).status).toBe(404)
  })

  it('what their budget cannot hold is refused with the reason', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    const response = await app.request('POST', `/api/sessions/${id}/pins`, { text: 'long '.repeat(8_000) })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ error: { code: 'pin-too-large' } })
    expect((await app.request('POST', `/api/sessions/${id}/pins`, { text: ' ' })).status).toBe(400)
  })
})

describe('GET /api/sessions/:id/recall', () => {
  it('finds earlier messages word for word', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    await app.say(id, 'The spare key hangs behind the boiler')
    await app.say(id, 'And the weather is fine')
    const response = await app.request('GET', `/api/sessions/${id}/recall?query=spare%20key`)
    const { items } = (await response.json()) as List<Recalled>
    expect(items[0]).toMatchObject({ role: 'user', text: 'The spare key hangs behind the boiler' })
    expect((await app.request('GET', `/api/sessions/${id}/recall`)).status).toBe(400)
    expect((await app.request('GET', `/api/sessions/none/recall?query=x`)).status).toBe(404)
  })
})
