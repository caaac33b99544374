import { listOf, markSchema } from '@longhaul/protocol'
import { expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

it('lists what was done to a context, oldest first, for a timeline', async () => {
  const app = await startApp()
  const { id } = await app.createSession({ title: 'Beds', policy: { compaction: { memoryFlush: { enabled: false } } } })
  await app.say(id, 'The soil is dry.')
  await app.runtime.agent.request(id, 'reset', {})
  const response = await app.request('GET', `/api/sessions/${id}/marks`)
  const { items, next } = listOf(markSchema).parse(await response.json())
  expect(items).toEqual([{ id: expect.any(String), at: expect.any(Number), kind: 'reset', detail: null }])
  expect(next).toBeNull()
  expect((await app.request('GET', '/api/sessions/nobody/marks')).status).toBe(404)
})
