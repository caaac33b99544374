import { expect, it } from 'vitest'
import { SMALL_TALK } from '../testing/fill-session.ts'
import { messagesOf } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { findCompaction, listCompactions } from './list-compactions.ts'

const start = useAgents({
  price: { input: 1, output: 1 },
  policy: { compaction: { memoryFlush: { enabled: false } } },
  script: ({ tools = [] }) => (tools.length === 0 ? '<summary>\n+ Goal: water the beds\n</summary>' : 'Noted.'),
})

it('SPEC-07 every compaction is listed with its numbers, summary, score, cost and what it covers; undone ones too', async () => {
  const under = start()
  const { id } = await under.agent.createSession({ title: 'named' })
  const talk = async (from: number, to: number): Promise<void> => {
    for (let turn = from; turn <= to; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`, `m${turn}`)
  }
  expect(await listCompactions(under.store, id)).toEqual([])
  await talk(1, 45)
  await under.agent.request(id, 'compact', {})
  await under.agent.request(id, 'undo', {})
  await under.agent.request(id, 'compact', {})
  await talk(46, 90)
  await under.agent.request(id, 'compact', {})
  const [undone, first, second, ...rest] = await listCompactions(under.store, id)
  expect(rest).toEqual([])
  for (const record of [undone, first, second])
    expect(await findCompaction(under.store, id, record?.id ?? '')).toEqual(record)
  expect(await findCompaction(under.store, id, 'm1')).toBeNull()
  expect(undone).toMatchObject({ undone: true, reason: 'manual', model: 'scripted/scripted' })
  expect(first).toMatchObject({ undone: false, score: expect.any(Number), cost: expect.any(Number) })
  expect(first?.summary).toContain('water the beds')
  expect(first).toMatchObject({ fallback: null, strategy: 'longhaul', usage: { input: expect.any(Number) } })
  expect(first?.items).toContainEqual(expect.objectContaining({ section: 'Goal', text: 'water the beds' }))
  const cited = [...(first?.items ?? []), ...(first?.ledger ?? [])].flatMap(({ sources }) => sources)
  expect(cited.length).toBeGreaterThan(0)
  expect(cited.every((source) => first?.coveredIds.includes(source))).toBe(true)
  expect(first?.tokensAfter).toBeLessThan(first?.tokensBefore ?? 0)
  expect(undone?.coveredIds).toEqual(first?.coveredIds)
  expect(first?.coveredIds[0]).toBe('m1')
  expect(second?.coveredIds.some((covered) => first?.coveredIds.includes(covered))).toBe(false)
  const all = messagesOf(await under.entries(id)).map((message) => message.id)
  expect([...(first?.coveredIds ?? []), ...(second?.coveredIds ?? [])]).toEqual(
    all.slice(0, (first?.coveredIds.length ?? 0) + (second?.coveredIds.length ?? 0)),
  )
})

it('a compaction after a reset covers nothing from before it', async () => {
  const under = start()
  const { id } = await under.agent.createSession({ title: 'named' })
  await under.say(id, 'Before.', 'before')
  await under.agent.request(id, 'reset', {})
  for (let turn = 1; turn <= 45; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`, `m${turn}`)
  await under.agent.request(id, 'compact', {})
  const [compaction] = await listCompactions(under.store, id)
  expect(await findCompaction(under.store, id, compaction?.id ?? '')).toEqual(compaction)
  expect(compaction?.coveredIds).not.toContain('before')
  expect(compaction?.coveredIds).toContain('m1')
})
