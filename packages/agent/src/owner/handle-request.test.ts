import { createModels } from '@longhaul/models'
import { createScriptedModel } from '@longhaul/models/testing'
import type { Script } from '@longhaul/models/testing'
import { describe, expect, it } from 'vitest'
import { createInMemoryStore } from '@longhaul/store'
import { readGauge } from '@longhaul/engine/advanced'
import { messagesOf } from '../testing/start-agent.ts'
import type { AgentUnderTest } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent } from '../testing/wait-for.ts'

const script: Script = ({ tools = [] }) =>
  tools.length === 0 ? '<summary>+ Goal: keep the beds watered</summary>' : 'Noted. '.repeat(50)
const start = useAgents({ policy: { compaction: { memoryFlush: { enabled: false } } }, script })

const LONG = 'The soil in the beds is dry and wants water every other day. '.repeat(20)

async function talk(under: AgentUnderTest, turns: number): Promise<string> {
  const { id } = await under.agent.createSession({ title: 'named' })
  for (let turn = 1; turn <= turns; turn += 1) await under.say(id, `Message ${turn}. ${LONG}`)
  return id
}

async function tokensOf(under: AgentUnderTest, id: string): Promise<number> {
  const { tokens } = readGauge((await under.agent.inspect(id)).context)
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
    const { head } = (await under.agent.inspect(id)).context.state
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

  it.each([1, 2])('undo works after a restart, %i times', async (times) => {
    const store = createInMemoryStore()
    const first = start({ store })
    const id = await talk(first, 10)
    const sizes = [await tokensOf(first, id)]
    for (let each = 0; each < times; each += 1) {
      await first.agent.request(id, 'compact', {})
      if (each < times - 1) {
        for (let turn = 1; turn <= 8; turn += 1) await first.say(id, `More ${turn}. ${LONG}`)
        sizes.push(await tokensOf(first, id))
      }
    }
    await first.agent.close()
    const second = start({ store })
    for (let each = 0; each < times; each += 1) {
      expect(await second.agent.request(id, 'undo', {})).toMatchObject({ ok: true })
      expect((await second.agent.inspect(id)).context.state.head.base.kind).toBe(
        each < times - 1 ? 'compaction' : 'start',
      )
    }
    expect(await tokensOf(second, id)).toBeGreaterThanOrEqual(sizes[0] ?? 0)
    expect(await second.agent.request(id, 'undo', {})).toMatchObject({ ok: false, code: 'nothing-to-undo' })
  })

  it('ONE-02 a compaction moves the time at which the session was last changed', async () => {
    let now = Date.parse('2026-11-15T10:00:00Z')
    const under = start({ now: () => now })
    const id = await talk(under, 12)
    now += 60_000
    await under.agent.request(id, 'compact', {})
    expect((await under.store.sessions.get(id))?.updatedAt).toBe(now)
  })

  it('ONE-15 says so when there is nothing to compact', async () => {
    const under = start()
    const { id } = await under.agent.createSession({ title: 'named' })
    expect(await under.agent.request(id, 'compact', {})).toMatchObject({ ok: false, code: 'nothing-to-compact' })
  })
})

describe('a compaction that is cancelled', () => {
  it('says so, and changes nothing', async () => {
    const under = start({ script: ({ tools = [] }) => (tools.length > 0 ? 'Noted. '.repeat(50) : { hangs: true }) })
    const id = await talk(under, 12)
    const outcome = under.agent.request(id, 'compact', {})
    await waitForEvent(under.store, id, 'compact-started')
    await under.agent.cancel(id)
    expect(await outcome).toMatchObject({ ok: false, code: 'busy', message: expect.stringContaining('cancelled') })
    expect((await under.agent.inspect(id)).context.state.head.compactionCount).toBe(0)
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
    expect((await under.agent.inspect(id)).context.state.head.compactionCount).toBeGreaterThan(0)
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

  it('of a session without messages is refused, and no model is asked to save anything', async () => {
    const under = start({ policy: {} })
    const { id } = await under.agent.createSession({ title: 'named' })
    expect(await under.agent.request(id, 'reset', {})).toMatchObject({ ok: false, code: 'nothing-to-compact' })
    expect(await under.agent.request(id, 'flush', {})).toMatchObject({ ok: true })
    expect(under.model.calls).toHaveLength(0)
    await under.say(id, 'Hello')
    expect(await under.agent.request(id, 'reset', {})).toMatchObject({ ok: true })
    expect(await under.agent.request(id, 'reset', {})).toMatchObject({ ok: false, code: 'nothing-to-compact' })
  })
})

describe('a request that is done', () => {
  it('is settled by its entry alone', async () => {
    const under = start()
    const { id } = await under.agent.createSession({ title: 'named' })
    const settled: string[] = []
    const settle = under.store.inbox.settle.bind(under.store.inbox)
    under.store.inbox.settle = async (lease, ids) => {
      settled.push(...ids)
      return settle(lease, ids)
    }
    await under.agent.request(id, 'pin', { text: 'The gate is green.' }, { id: 'p1' })
    await under.agent.request(id, 'undo', {}, { id: 'u1' })
    expect(settled).toEqual(['u1'])
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

describe('another model', () => {
  const PLAIN: Script = ({ tools = [] }) =>
    tools.length === 0 ? '<summary>\n+ Goal: keep the beds watered\n</summary>' : 'Noted.'

  function startTwo(answer: Script = PLAIN) {
    const large = createScriptedModel(answer)
    const small = createScriptedModel(PLAIN)
    const models = createModels({
      extra: {
        'scripted/large': { model: large, info: { contextWindow: 64_000, maxOutput: 4_000 } },
        'scripted/small': { model: small, info: { contextWindow: 8_000, maxOutput: 1_000 } },
      },
      defaultModel: 'scripted/large',
    })
    return { under: start({ models }), large, small }
  }

  it('ONE-09 with a smaller window: compacted before the next request is sent, by the larger model', async () => {
    const { under, large, small } = startTwo()
    const id = await talk(under, 40)
    expect(await tokensOf(under, id)).toBeGreaterThan(8_000)
    const before = large.calls.length
    expect(await under.agent.request(id, 'model', { model: 'scripted/small' })).toMatchObject({ ok: true })
    const events = await under.say(id, 'Go on.')
    expect(events.filter(({ type }) => type === 'retry' || type === 'error')).toEqual([])
    expect(events.find(({ type }) => type === 'compact-started')).toMatchObject({ reason: 'model-switch' })
    expect(large.calls.length).toBeGreaterThan(before)
    expect(small.calls).toHaveLength(1)
    const compaction = (await under.entries(id)).find(({ type }) => type === 'compaction')
    expect(compaction).toMatchObject({ reason: 'model-switch', model: 'scripted/large' })
  })

  it('ONE-09 asked for in the middle of a turn: that turn ends with its model, the next one has the other', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const { under } = startTwo(async () => {
      resolve()
      await opened
      return 'Answered by the large one.'
    })
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.agent.send(id, { id: 'm1', text: 'Hello' })
    await asked
    const switched = under.agent.request(id, 'model', { model: 'scripted/small' })
    open()
    expect(await switched).toMatchObject({ ok: true })
    await under.say(id, 'And now?')
    const answers = messagesOf(await under.entries(id)).filter(({ role }) => role === 'assistant')
    expect(answers.map(({ model }) => model)).toEqual(['scripted/large', 'scripted/small'])
  })

  it('that cannot be used is refused', async () => {
    const { under } = startTwo()
    const { id } = await under.agent.createSession({ title: 'named' })
    expect(await under.agent.request(id, 'model', { model: 'anthropic/claude-sonnet-5' })).toMatchObject({
      ok: false,
      code: 'invalid-request',
    })
    expect(await under.agent.request(id, 'model', {})).toMatchObject({ ok: false, code: 'invalid-request' })
  })
})

describe('nonsense', () => {
  it.each([
    ['unpin', { pin: 'no-such-pin' }, 'not-found'],
    ['pin', { text: '   ' }, 'invalid-request'],
    ['pin', {}, 'invalid-request'],
    ['undo', {}, 'nothing-to-undo'],
    ['settings', { policy: { compaction: { nonsense: 1 } } }, 'invalid-request'],
  ] as const)('%s %j is refused with %s, and the session goes on', async (kind, payload, code) => {
    const under = start()
    const { id } = await under.agent.createSession({ title: 'named' })
    expect(await under.agent.request(id, kind, payload)).toMatchObject({ ok: false, code })
    expect((await under.say(id, 'Hello')).map(({ type }) => type)).toContain('response-complete')
  })

  it('a session that is not there is refused at once', async () => {
    const under = start()
    await expect(under.agent.request('nowhere', 'compact', {})).rejects.toMatchObject({ code: 'not-found' })
    await expect(under.agent.send('nowhere', { text: 'Hello' })).rejects.toMatchObject({ code: 'not-found' })
    await expect(under.agent.cancel('nowhere')).rejects.toMatchObject({ code: 'not-found' })
    await expect(under.agent.resume('nowhere')).rejects.toMatchObject({ code: 'not-found' })
    await expect(under.agent.inspect('nowhere')).rejects.toMatchObject({ code: 'not-found' })
  })

  it('an empty message is refused', async () => {
    const under = start()
    const { id } = await under.agent.createSession({ title: 'named' })
    await expect(under.agent.send(id, { text: ' \n ' })).rejects.toMatchObject({ code: 'invalid-request' })
  })
})

describe('a request that is under way when the program is shut down', () => {
  it('waits for the next owner, who carries it out; whoever waited here hears that it goes on', async () => {
    let isHanging = true
    const under = start({
      script: ({ tools = [] }) => {
        if (tools.length > 0) return 'Noted. '.repeat(50)
        return isHanging ? { hangs: true } : '<summary>+ Goal: keep the beds watered</summary>'
      },
    })
    const id = await talk(under, 12)
    const waiting = under.agent.request(id, 'compact', {})
    const refused = waiting.catch((error: unknown) => error)
    await waitForEvent(under.store, id, 'compact-started')
    await under.agent.close()
    expect(await refused).toMatchObject({ code: 'busy' })
    expect(await under.store.inbox.list(id)).toMatchObject([{ kind: 'compact' }])
    isHanging = false
    const after = await under.store.events.getLastId(id)
    const again = start({ store: under.store, script })
    await again.agent.resume(id)
    expect(await waitForEvent(again.store, id, 'request-settled', after)).toMatchObject({ outcome: { ok: true } })
  })
})
