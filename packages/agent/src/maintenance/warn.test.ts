import { createInMemoryStore } from '@longhaul/store'
import { expect, it } from 'vitest'
import { SMALL_TALK, talkUntil } from '../testing/fill-session.ts'
import { useAgents } from '../testing/use-agents.ts'

const start = useAgents({
  windowTokens: 16_000,
  maxOutput: 500,
  policy: {
    windowGuard: { warnBelowTokens: 0 },
    compaction: { triggerRatio: 0.95, prepareRatio: 'off', memoryFlush: { enabled: false } },
  },
  script: ({ tools = [] }) => (tools.length === 0 ? '<summary>The beds were watered.</summary>' : 'Noted.'),
})

it('a context that fills up is told of at 70 and at 85 percent, once each, and again after it has shrunk', async () => {
  const under = start()
  const { id } = await under.agent.createSession({ title: 'named' })
  const told: (number | string)[] = []
  for (let turn = 1; turn <= 150; turn += 1) {
    for (const event of await under.say(id, `Message ${turn}. ${SMALL_TALK}`)) {
      if (event.type === 'context-warning') told.push(event.percent)
      if (event.type === 'compact-completed') told.push('compacted')
    }
  }
  const [first, second, third, fourth] = told
  expect([first, second]).toEqual([expect.any(Number), expect.any(Number)])
  expect(Number(first)).toBeGreaterThanOrEqual(70)
  expect(Number(first)).toBeLessThan(85)
  expect(Number(second)).toBeGreaterThanOrEqual(85)
  expect(third).toBe('compacted')
  expect(Number(fourth)).toBeLessThan(85)
})

it('is not told again because another owner took the session', async () => {
  const store = createInMemoryStore()
  const first = start({ store })
  const { id } = await first.agent.createSession({ title: 'named' })
  await talkUntil(first, id, 'context-warning', 100)
  await first.agent.close()
  const second = start({ store })
  const events = await second.say(id, 'A short one.')
  expect(events.map(({ type }) => type)).not.toContain('context-warning')
})
