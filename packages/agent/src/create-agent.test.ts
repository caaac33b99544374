import { createInMemoryStore } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import { SMALL_TALK } from './testing/fill-session.ts'
import { messagesOf, textOf } from './testing/start-agent.ts'
import { useAgents } from './testing/use-agents.ts'

const start = useAgents()

describe('a turn', () => {
  it('stores the message first, streams the answer, and ends with done', async () => {
    const { agent, say, entries } = start({ script: () => ({ text: ['Hel', 'lo'] }) })
    const { id } = await agent.createSession()
    const events = await say(id, 'Hi')
    const types = events.map(({ type }) => type)
    expect(types[0]).toBe('message-stored')
    expect(types).toContain('text-delta')
    expect(types.indexOf('response-complete')).toBeLessThan(types.indexOf('done'))
    expect(types.at(-1)).toBe('done')
    expect(messagesOf(await entries(id)).map((message) => [message.role, textOf(message)])).toEqual([
      ['user', 'Hi'],
      ['assistant', 'Hello'],
    ])
  })

  it('OPEN-10 finds in a later session what was saved in an earlier one', async () => {
    const under = start({
      script: ({ prompt }) => {
        const [last] = prompt.slice(-1)
        if (last?.role === 'tool') return JSON.stringify(last.content)
        const isQuestion = JSON.stringify(last).includes('Which port')
        return isQuestion
          ? { toolCalls: [{ name: 'memory_search', input: { query: 'port' } }] }
          : { toolCalls: [{ name: 'save_memory', input: { text: 'The port is 9090.' } }] }
      },
    })
    const first = await under.agent.createSession({ title: 'first' })
    await under.say(first.id, 'Remember the port.')
    const second = await under.agent.createSession({ title: 'second' })
    const events = await under.say(second.id, 'Which port was it?')
    expect(events.find(({ type }) => type === 'response-complete')).toMatchObject({
      text: expect.stringContaining('The port is 9090.'),
    })
  })

  it('runs tools and asks again with their results', async () => {
    const call = { id: 'c1', name: 'save_memory', input: { text: 'The port is 9090.' } }
    const { agent, say, entries } = start({ script: [{ toolCalls: [call] }, 'Saved.', 'A title'] })
    const { id } = await agent.createSession()
    const events = await say(id, 'Remember the port.')
    expect(events.map(({ type }) => type)).toContain('tool-result')
    expect(messagesOf(await entries(id)).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })
})

describe('a request with an id', () => {
  it('sent again is the same request: done once, with the outcome it had', async () => {
    const { agent, entries } = start()
    const { id } = await agent.createSession({ title: 'named' })
    const pin = () => agent.request(id, 'pin', { text: 'The gate is green.' }, { id: 'p1' })
    const [first, second] = await Promise.all([pin(), pin()])
    expect(first).toEqual({ ok: true, result: { id: 'p1' } })
    expect(second).toEqual(first)
    expect(await pin()).toEqual(first)
    expect((await entries(id)).filter(({ type }) => type === 'pin')).toHaveLength(1)
  })

  it('has its refusal again as well, through another process too', async () => {
    const store = createInMemoryStore()
    const { agent } = start({ store })
    const { id } = await agent.createSession({ title: 'named' })
    const refused = await agent.request(id, 'compact', {}, { id: 'c1' })
    expect(refused).toMatchObject({ ok: false, code: 'nothing-to-compact' })
    expect(await start({ store }).agent.request(id, 'compact', {}, { id: 'c1' })).toEqual(refused)
  })

  it.each([
    ['a summary', '<summary>+ Goal: keep the beds watered</summary>', 'compaction'],
    ['no summary', { fails: new Error('down') }, 'compaction'],
  ] as const)('a compaction has its outcome again when its event is long gone: %s', async (_what, said, kind) => {
    const policy = { compaction: { prepareRatio: 'off', memoryFlush: { enabled: false } } }
    const under = start({ policy, script: ({ tools = [] }) => (tools.length > 0 ? 'Noted. '.repeat(50) : said) })
    const { id } = await under.agent.createSession({ title: 'named' })
    for (let turn = 1; turn <= 12; turn += 1) await under.say(id, `Message ${turn}. ${SMALL_TALK}`)
    const compact = () => under.agent.request(id, 'compact', {}, { id: 'c1' })
    const first = await compact()
    expect(first).toMatchObject({ ok: true, result: { id: 'c1', kind, reason: 'manual' } })
    await under.store.events.deleteBefore(Infinity)
    expect(await compact()).toEqual(first)
  })

  it('with another payload is a conflict', async () => {
    const { agent } = start()
    const { id } = await agent.createSession({ title: 'named' })
    await agent.request(id, 'pin', { text: 'One.' }, { id: 'p1' })
    await expect(agent.request(id, 'pin', { text: 'Two.' }, { id: 'p1' })).rejects.toMatchObject({
      code: 'id-conflict',
    })
  })
})

describe('looking at a session', () => {
  it('that this process works on reads none of its messages', async () => {
    const inner = createInMemoryStore()
    let reads = 0
    const read: typeof inner.entries.read = (...args) => {
      reads += 1
      return inner.entries.read(...args)
    }
    const under = start({ store: { ...inner, entries: { ...inner.entries, read } } })
    const { id } = await under.agent.createSession({ title: 'named' })
    await under.say(id, 'Hello')
    reads = 0
    const { context } = await under.agent.inspect(id)
    expect(reads).toBe(0)
    expect(context.state.head.totals.messages).toBe(2)
    expect(await start({ store: inner }).agent.inspect(id)).toEqual(await under.agent.inspect(id))
  })
})
