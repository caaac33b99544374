import { compactionSchema, listOf } from '@longhaul/protocol'
import { expect, it } from 'vitest'
import { startApp } from '../testing/start-app.ts'

const TALK = 'The soil is dry, the tank is half full and the pump runs at seven. '.repeat(20)

it('SPEC-07 lists compactions, newest first, with summary, citations, score and what was taken back', async () => {
  const script = ({ tools = [] }: { readonly tools?: readonly unknown[] | undefined }) =>
    tools.length === 0 ? '<summary>\n+ Goal: water the beds\n</summary>' : 'Noted.'
  const app = await startApp({ script })
  const { id } = await app.createSession({ title: 'Beds', policy: { compaction: { memoryFlush: { enabled: false } } } })
  for (let turn = 1; turn <= 40; turn += 1) await app.say(id, `Message ${turn}. ${TALK}`, `m${turn}`)
  await app.runtime.agent.request(id, 'compact', {})
  await app.runtime.agent.request(id, 'undo', {})
  await app.runtime.agent.request(id, 'compact', {})
  const response = await app.request('GET', `/api/sessions/${id}/compactions`)
  const { items } = listOf(compactionSchema).parse(await response.json())
  expect(items.slice(0, 2)).toMatchObject([
    { reason: 'manual', undone: false, model: 'scripted/scripted' },
    { reason: 'manual', undone: true },
  ])
  const [newest] = items
  expect(newest?.at).toBeGreaterThanOrEqual(items[1]?.at ?? Infinity)
  expect(newest?.summary).toContain('water the beds')
  expect(newest?.items).toContainEqual(expect.objectContaining({ section: 'Goal', text: 'water the beds' }))
  expect(newest?.coveredIds).toContain('m1')
  expect(newest?.tokensAfter).toBeLessThan(newest?.tokensBefore ?? 0)
  expect((await app.request('GET', '/api/sessions/nobody/compactions')).status).toBe(404)
})
