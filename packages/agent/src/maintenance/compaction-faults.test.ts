import { afterEach, describe, expect, it } from 'vitest'
import type { Script, ScriptedReply } from '@longhaul/models/testing'
import { messagesOf, startAgent, textOf } from '../testing/start-agent.ts'
import type { AgentUnderTest, StartOptions } from '../testing/start-agent.ts'

type Request = Parameters<Extract<Script, (...args: never[]) => unknown>>[0]

const running: AgentUnderTest[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.close()))
})

function start(summary: (request: Request) => ScriptedReply, options: StartOptions = {}): AgentUnderTest {
  const script: Script = (request) => {
    if (isTitle(request)) return 'Beds'
    return isSummary(request) ? summary(request) : { text: `Noted. ${'And so on, and on. '.repeat(40)}` }
  }
  const started = startAgent({
    script,
    windowTokens: 16_000,
    policy: { compaction: { timeoutMs: 200, backgroundTimeoutMs: 200, memoryFlush: { enabled: false } } },
    ...options,
  })
  running.push(started)
  return started
}

/** Requests of our own without tools: the title's says so. */
function isSummary(request: Request): boolean {
  return (request.tools ?? []).length === 0 && !isTitle(request)
}

function isTitle({ prompt }: Request): boolean {
  return JSON.stringify(prompt[0] ?? '').includes('You name conversations')
}

const MESSAGE = `Please keep the ladder in bed nine. ${'The soil there is dry and wants water. '.repeat(60)}`

async function talk(under: AgentUnderTest, turns: number): Promise<string> {
  const { id } = await under.agent.createSession()
  for (let turn = 1; turn <= turns; turn += 1) {
    const events = await under.say(id, `Message ${turn}. ${MESSAGE}`)
    expect(events.filter(({ type }) => type === 'error')).toEqual([])
    expect(events.map(({ type }) => type)).toContain('response-complete')
  }
  return id
}

const FAULTS: Readonly<Record<string, ScriptedReply>> = {
  fails: { fails: new Error('the summariser is down') },
  hangs: { hangs: true },
  'returns nothing': '',
  'returns error text': 'Error generating summary: net::ERR_INCOMPLETE_CHUNKED_ENCODING',
  'returns something longer': 'All of it again, and more of it. '.repeat(4_000),
  'calls a tool': { toolCalls: [{ name: 'recall', input: { query: 'everything' } }] },
  'answers the chat': 'Sure! I will keep the ladder in bed nine for you. What else can I do?',
}

describe('a conversation goes on although the summariser', () => {
  it.each(Object.entries(FAULTS))('ONE-14 ONE-16 %s', async (_name, fault) => {
    const under = start(() => fault)
    const id = await talk(under, 40)
    const messages = messagesOf(await under.entries(id))
    expect(messages.filter(({ role }) => role === 'user').map(textOf)).toEqual(
      Array.from({ length: 40 }, (_, index) => `Message ${index + 1}. ${MESSAGE}`),
    )
    const { head } = (await under.agent.inspect(id)).context.state
    expect(head.cycle).toBeGreaterThan(1)
  })
})
