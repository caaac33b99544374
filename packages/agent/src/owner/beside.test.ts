import type { Script, ScriptedReply } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import { SMALL_TALK, talkUntil } from '../testing/fill-session.ts'
import { collectTurn, messagesOf } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent } from '../testing/wait-for.ts'

const SUMMARY = '<summary>\n+ Goal: water the beds\n</summary>'
const startAgents = useAgents({ windowTokens: 16_000 })
const named = { title: 'named' }

function start(summary: () => Promise<ScriptedReply>, options: StartOptions = {}): AgentUnderTest {
  const script: Script = ({ tools = [] }) => (tools.length === 0 ? summary() : 'Noted. '.repeat(10))
  const compaction = {
    prepareRatio: 'off',
    memoryFlush: { enabled: false },
    ...(options.policy?.['compaction'] as object),
  }
  return startAgents({ script, ...options, policy: { compaction } })
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

describe('a compaction that somebody asked for', () => {
  it('LH-08 OPEN-14 lets messages be answered meanwhile; other requests wait for its end', async () => {
    const { promise, resolve } = Promise.withResolvers<ScriptedReply>()
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>()
    const under = start(() => (asked(), promise), { preset: 'oneclaw', policy: { compaction: { keepRatio: 0.05 } } })
    const { id } = await under.agent.createSession(named)
    for (let turn = 1; turn <= 8; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
    const compacted = under.agent.request(id, 'compact', {})
    await isAsked
    const { afterEvent } = await under.agent.send(id, { text: 'And meanwhile?' })
    await waitForEvent(under.store, id, 'response-complete', afterEvent)
    const pinned = under.agent.request(id, 'pin', { text: 'The gate is green.' })
    expect((await under.entries(id)).map(({ type }) => type)).not.toContain('compaction')
    resolve(SUMMARY)
    expect(await compacted).toMatchObject({ ok: true })
    expect(await pinned).toMatchObject({ ok: true })
    const kinds = (await under.entries(id)).map(({ type }) => type)
    expect(kinds.indexOf('compaction')).toBeLessThan(kinds.indexOf('pin'))
    expect(messagesOf(await under.entries(id)).filter(({ role }) => role === 'user')).toHaveLength(9)
  })
})

describe('a turn that waits for a compaction', () => {
  it.each(['micro', 'spec008'])(
    'ONE-20 %s is told when the wait begins, and goes on after one bounded time',
    async (preset) => {
      const timeoutMs = 300
      const under = start(never, { preset, policy: { compaction: { timeoutMs, triggerTokens: 3_000 } } })
      const { id } = await under.agent.createSession(named)
      const begin = performance.now()
      const events = await talkUntil(under, id, 'compact-completed')
      expect(performance.now() - begin).toBeLessThan(10_000)
      const types = events.map(({ type }) => type)
      expect(types.indexOf('compact-started')).toBeGreaterThanOrEqual(0)
      expect(types.indexOf('compact-started')).toBeLessThan(types.indexOf('compact-completed'))
      expect(types.indexOf('compact-completed')).toBeLessThan(types.indexOf('response-complete'))
    },
  )
})

describe('the end of a turn', () => {
  it('comes when the next message begins, also while a summary is still being made', async () => {
    const under = start(never, { preset: 'oneclaw', policy: { compaction: { triggerRatio: 0.3 } } })
    const { id } = await under.agent.createSession(named)
    const hasStarted = async (): Promise<boolean> =>
      (await under.store.events.read(id, 0, 1_000)).some(({ event }) => event['type'] === 'compact-started')
    let last = await under.agent.send(id, { text: SMALL_TALK })
    for (let turn = 1; turn <= 60 && !(await hasStarted()); turn += 1) {
      last = await under.agent.send(id, { text: `Message ${turn}. ${SMALL_TALK}` })
      await waitForEvent(under.store, id, 'response-complete', last.afterEvent)
    }
    await under.agent.send(id, { text: 'Go on.' })
    const events = await collectTurn(under.store, id, last.id, last.afterEvent)
    expect(events.at(-1)?.type).toBe('done')
    expect(events.map(({ type }) => type)).not.toContain('compact-completed')
  })
})
