import { contextReportSchema, contextTextSchema, sessionStatusSchema } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

describe('GET /api/sessions/:id/context', () => {
  it('OPEN-04 says what takes the space, and gives the words of each item', async () => {
    const app = await startApp({ script: () => 'In the evening.' })
    const { id } = await app.createSession()
    await app.say(id, 'When do I water?', 'm1')
    const report = contextReportSchema.parse(await (await app.request('GET', `/api/sessions/${id}/context`)).json())
    expect(report).toMatchObject({ model: 'scripted/scripted', window: 32_000, source: 'reported' })
    expect(report.items.map(({ kind }) => kind)).toEqual(['system', 'tools', 'user', 'assistant'])
    for (const item of report.items) {
      const response = await app.request('GET', `/api/sessions/${id}/context/${encodeURIComponent(item.id)}`)
      const { text, state } = contextTextSchema.parse(await response.json())
      expect(text.length).toBeGreaterThan(0)
      expect(state).toBe(item.state)
    }
    const words = await app.request('GET', `/api/sessions/${id}/context/user:m1`)
    expect(await words.json()).toEqual({ id: 'user:m1', text: 'When do I water?', state: 'verbatim' })
  })

  it('refuses what is not there', async () => {
    const app = await startApp()
    const { id } = await app.createSession()
    for (const path of ['nobody/context', `${id}/context/user:nothing`, 'nobody/context/system'])
      expect((await app.request('GET', `/api/sessions/${path}`)).status, path).toBe(404)
  })
})

describe('GET /api/sessions/:id/status', () => {
  it('OPEN-04 is the session on one card', async () => {
    const app = await startApp()
    const { id } = await app.createSession({ title: 'Beds', preset: 'openclaw' })
    await app.say(id, 'Hello')
    const status = sessionStatusSchema.parse(await (await app.request('GET', `/api/sessions/${id}/status`)).json())
    expect(status).toMatchObject({ id, title: 'Beds', preset: 'openclaw', messageCount: 2, compactionCount: 0 })
    expect(status.tokens.percent).toBeGreaterThan(0)
  })
})
