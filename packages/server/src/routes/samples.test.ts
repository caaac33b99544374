import { listOf, messageSchema, sessionSchema } from '@longhaul/protocol'
import { expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

const OFFLINE = { model: 'offline/extractive' }

it('brings a long conversation that the next message makes compact, on the offline model', async () => {
  const app = await startApp(OFFLINE)
  const response = await app.request('POST', '/api/sessions/sample')
  expect(response.status).toBe(201)
  const session = sessionSchema.parse(await response.json())
  expect(session).toMatchObject({ model: 'offline/extractive', preset: 'longhaul', compactionCount: 0 })
  expect(session.title).toMatch(/^Sample/)
  expect(session.messageCount).toBeGreaterThanOrEqual(100)
  const events = await app.say(session.id, 'Who imports the real members, and when?')
  expect(events).toContainEqual(expect.objectContaining({ type: 'compact-started' }))
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'compact-completed', didCompact: true, fallback: null }),
  )
  const answer = events.find((event) => event.type === 'response-complete')
  expect(answer?.text).toContain('26 November')
})

it('the compaction can be taken back, and the conversation goes on', async () => {
  const app = await startApp(OFFLINE)
  const { id } = sessionSchema.parse(await (await app.request('POST', '/api/sessions/sample')).json())
  await app.say(id, 'Who imports the real members, and when?')
  const undone = await app.request('POST', `/api/sessions/${id}/undo`)
  expect(undone.status).toBe(200)
  const before = sessionSchema.parse(await (await app.request('GET', `/api/sessions/${id}`)).json())
  expect(before.tokens.context).toBeGreaterThan(17_000)
  const events = await app.say(id, 'When are the real members imported?')
  expect(events.map(({ type }) => type)).not.toContain('compact-started')
  expect(events.find((event) => event.type === 'response-complete')?.text).toContain('26 November')
})

it('its messages read as stored ones: tools with their results, in order, of the last two days', async () => {
  const app = await startApp(OFFLINE)
  const session = sessionSchema.parse(await (await app.request('POST', '/api/sessions/sample')).json())
  const response = await app.request('GET', `/api/sessions/${session.id}/messages?limit=500`)
  const { items } = listOf(messageSchema).parse(await response.json())
  expect(items).toHaveLength(session.messageCount)
  const calls = items.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])),
  )
  const results = items.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])),
  )
  expect(results).toEqual(calls)
  expect(new Set(calls).size).toBe(calls.length)
  const ages = items.map(({ at }) => Date.now() - at)
  expect(ages).toEqual(ages.toSorted((a, b) => b - a))
  expect(Math.max(...ages)).toBeLessThan(48 * 3_600_000)
  expect(Math.min(...ages)).toBeGreaterThan(0)
})

it('each one is a session of its own', async () => {
  const app = await startApp(OFFLINE)
  const ids = [1, 2].map(
    async () => sessionSchema.parse(await (await app.request('POST', '/api/sessions/sample')).json()).id,
  )
  expect(new Set(await Promise.all(ids)).size).toBe(2)
})
