import { expect, it } from 'vitest'
import { SMALL_TALK } from '../testing/fill-session.ts'
import { useAgents } from '../testing/use-agents.ts'
import { listMarks } from './list-marks.ts'

const start = useAgents({
  policy: { compaction: { memoryFlush: { enabled: false } } },
  script: ({ tools = [] }) => (tools.length === 0 ? '<summary>\n+ Goal: water the beds\n</summary>' : 'Noted.'),
})

it('everything that was done to a context is marked, in order', async () => {
  const under = start()
  const { id } = await under.agent.createSession({ title: 'named' })
  expect(await listMarks(under.store, id)).toEqual([])
  for (let turn = 1; turn <= 45; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
  await under.agent.request(id, 'compact', {})
  await under.agent.request(id, 'undo', {})
  await under.agent.request(id, 'reset', {})
  const marks = await listMarks(under.store, id)
  expect(marks.map(({ kind, detail }) => ({ kind, detail }))).toEqual([
    { kind: 'compaction', detail: 'manual' },
    { kind: 'undo', detail: null },
    { kind: 'reset', detail: null },
  ])
  expect(marks.every(({ at }, index) => at >= (marks[index - 1]?.at ?? 0))).toBe(true)
})
