import { afterEach, describe, expect, it } from 'vitest'
import { messagesOf, startAgent, textOf } from './testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from './testing/start-agent.ts'

const running: AgentUnderTest[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})
function start(options: StartOptions = {}): AgentUnderTest {
  const started = startAgent(options)
  running.push(started)
  return started
}

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
