import type { List, Recalled } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

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
