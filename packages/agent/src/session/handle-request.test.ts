import { afterEach, describe, expect, it } from 'vitest'
import { readGauge } from './active-session.ts'
import { startAgent } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'

const running: AgentUnderTest[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})
function start(options: StartOptions = {}): AgentUnderTest {
  const started = startAgent({
    policy: { compaction: { memoryFlush: { enabled: false } } },
    script: (request) =>
      (request.tools ?? []).length === 0 ? '<summary>+ Goal: keep the beds watered</summary>' : 'Noted. '.repeat(50),
    ...options,
  })
  running.push(started)
  return started
}

const LONG = 'The soil in the beds is dry and wants water every other day. '.repeat(20)

async function talk(under: AgentUnderTest, turns: number): Promise<string> {
  const { id } = await under.agent.createSession({ title: 'named' })
  for (let turn = 1; turn <= turns; turn += 1) await under.say(id, `Message ${turn}. ${LONG}`)
  return id
}

async function tokensOf(under: AgentUnderTest, id: string): Promise<number> {
  const { tokens } = readGauge(await under.agent.inspect(id))
  return tokens ?? 0
}

describe('compact and undo', () => {
  it('OPEN-14 compacts on request, with instructions, and the count shows', async () => {
    const under = start()
    const id = await talk(under, 12)
    const before = await tokensOf(under, id)
    const outcome = await under.agent.request(id, 'compact', { instructions: 'keep the figures' })
    expect(outcome).toMatchObject({ ok: true })
    expect(await tokensOf(under, id)).toBeLessThan(before)
    const { head } = (await under.agent.inspect(id)).log.state()
    expect(head.compactionCount).toBe(1)
    const compaction = (await under.entries(id)).find(({ type }) => type === 'compaction')
    expect(compaction).toMatchObject({ reason: 'manual', instructions: 'keep the figures' })
  })

  it('undo brings every message back, and a second undo has nothing to do', async () => {
    const under = start()
    const id = await talk(under, 12)
    const before = await tokensOf(under, id)
    await under.agent.request(id, 'compact', {})
    expect(await under.agent.request(id, 'undo', {})).toMatchObject({ ok: true })
    expect(await tokensOf(under, id)).toBe(before)
    expect(await under.agent.request(id, 'undo', {})).toMatchObject({ ok: false, code: 'nothing-to-undo' })
  })

  it('ONE-15 says so when there is nothing to compact', async () => {
    const under = start()
    const { id } = await under.agent.createSession({ title: 'named' })
    expect(await under.agent.request(id, 'compact', {})).toMatchObject({ ok: false, code: 'nothing-to-compact' })
  })
})

describe('pins', () => {
  it('are in every request from then on, after compactions too', async () => {
    const under = start({ windowTokens: 16_000 })
    const { id } = await under.agent.createSession({ title: 'named' })
    expect(await under.agent.request(id, 'pin', { text: 'The gate code is 4711.' })).toMatchObject({ ok: true })
    for (let turn = 1; turn <= 50; turn += 1) {
      const from = under.model.calls.length
      await under.say(id, `Message ${turn}. ${LONG}`)
      const turns = under.model.calls.slice(from).filter(({ tools }) => (tools ?? []).length > 0)
      for (const { prompt } of turns) expect(JSON.stringify(prompt)).toContain('The gate code is 4711.')
    }
    expect((await under.agent.inspect(id)).log.state().head.compactionCount).toBeGreaterThan(0)
  })

  it('refuses what the budget cannot hold', async () => {
    const under = start({ windowTokens: 16_000 })
    const { id } = await under.agent.createSession({ title: 'named' })
    const outcome = await under.agent.request(id, 'pin', { text: 'word '.repeat(2_000) })
    expect(outcome).toMatchObject({ ok: false, code: 'pin-too-large' })
  })
})

describe('reset', () => {
  it('OPEN-02 clears the context; the transcript stays readable', async () => {
    const under = start()
    const id = await talk(under, 3)
    await under.agent.request(id, 'reset', {})
    await under.say(id, 'What did I say?')
    const call = under.model.calls.findLast(({ tools }) => (tools ?? []).length > 0)
    expect(JSON.stringify(call?.prompt)).not.toContain('Message 1.')
    expect(JSON.stringify(await under.entries(id))).toContain('Message 1.')
  })
})

describe('settings', () => {
  it('refuses what does not hold, and stores nothing of it', async () => {
    const under = start()
    const { id } = await under.agent.createSession({ title: 'named' })
    const wrong = [{ preset: 'no-such-preset' }, { policy: { compaction: { enabled: 'yes' } } }]
    for (const payload of wrong) {
      expect(await under.agent.request(id, 'settings', payload)).toMatchObject({ ok: false, code: 'invalid-request' })
    }
    expect((await under.entries(id)).filter(({ type }) => type === 'settings')).toHaveLength(1)
    expect(await under.agent.request(id, 'settings', { preset: 'micro' })).toMatchObject({ ok: true })
  })
})
