import type { ScriptedReply } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../port/agent-event.ts'
import { SMALL_TALK, talkUntil } from '../testing/fill-session.ts'
import { messagesOf } from '../testing/start-agent.ts'
import type { AgentUnderTest } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent, waitUntil } from '../testing/wait-for.ts'

const startAgents = useAgents({ windowTokens: 16_000 })
const GOOD = '<summary>\n+ Goal: water the beds\n</summary>'
const FAILS: ScriptedReply = { fails: new Error('down') }
const HANGS: ScriptedReply = { text: ['<sum'], breaksOff: { afterPieces: 0, how: 'hang' } }

function start(summary: (count: number) => ScriptedReply, compaction: object = {}): AgentUnderTest {
  let count = 0
  return startAgents({
    policy: { compaction: { prepareRatio: 'off', memoryFlush: { enabled: false }, ...compaction } },
    script: ({ tools = [] }) => (tools.length === 0 ? summary((count += 1)) : 'Noted. '.repeat(10)),
  })
}

async function compactionEvents({ store }: AgentUnderTest, id: string): Promise<readonly AgentEvent[]> {
  const stored = await store.events.read(id, 0, 10_000)
  return stored
    .map(({ event }) => event as unknown as AgentEvent)
    .filter(({ type }) => type === 'compact-started' || type === 'compact-completed')
}

async function expectPairs(under: AgentUnderTest, id: string): Promise<void> {
  const told = await compactionEvents(under, id)
  expect(told.length).toBeGreaterThan(0)
  // An end may stand alone, where no summary was asked for; a start never does. A turn that comes to wait for one that is
  // under way is told of its start again.
  const next = told.filter(({ type }, index) => type !== 'compact-started' || told[index + 1]?.type !== type)
  const ends = next.flatMap(({ type }, index) => (type === 'compact-started' ? [next[index + 1]?.type] : []))
  expect(new Set(ends).difference(new Set(['compact-completed']))).toEqual(new Set())
}

describe('ONE-17 a summary that is asked for has one start and one end on the event stream', () => {
  it.each([
    ['that works', () => GOOD, {}],
    ['that always fails, until nobody tries any more', () => FAILS, {}],
    ['that fails, where the oldest messages are left out instead', () => FAILS, { fallback: 'trim-oldest' }],
    ['that fails now and then', (count: number) => (count % 3 === 0 ? GOOD : FAILS), {}],
    ['made beside the conversation', () => GOOD, { prepareRatio: 0.5 }],
  ])('%s', async (_name, summary, compaction) => {
    const under = start(summary, compaction)
    const { id } = await under.agent.createSession({ title: 'named' })
    for (let turn = 1; turn <= 120; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
    await expectPairs(under, id)
  })

  it('that is cancelled', async () => {
    const under = start(() => HANGS)
    const { id } = await under.agent.createSession({ title: 'named' })
    const talking = talkUntil(under, id, 'compact-completed')
    await waitForEvent(under.store, id, 'compact-started')
    await waitUntil(under.store, async () => messagesOf(await under.entries(id)).at(-1)?.role === 'assistant')
    await under.agent.cancel(id)
    await talking
    await expectPairs(under, id)
    expect((await compactionEvents(under, id)).at(-1)).toMatchObject({ didCompact: false, fallback: null })
  })

  it('that is left to the next owner', async () => {
    const under = start(() => HANGS)
    const { id } = await under.agent.createSession({ title: 'named' })
    void talkUntil(under, id, 'compact-completed').catch(() => undefined)
    await waitForEvent(under.store, id, 'compact-started')
    await under.agent.close()
    await expectPairs(under, id)
  })

  it('that the store does not take', async () => {
    const under = start(() => GOOD)
    const append = under.store.entries.append.bind(under.store.entries)
    let isFull = true
    under.store.entries.append = async (step) => {
      if (isFull && step.entries.some(({ type }) => type === 'compaction')) {
        isFull = false
        throw new Error('disk full')
      }
      return append(step)
    }
    const { id } = await under.agent.createSession({ title: 'named' })
    await talkUntil(under, id, 'compact-completed')
    await under.say(id, 'Go on.')
    await expectPairs(under, id)
    expect(await compactionEvents(under, id)).toContainEqual(expect.objectContaining({ didCompact: false }))
  })
})
