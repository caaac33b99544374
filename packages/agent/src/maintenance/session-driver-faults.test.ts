import { afterEach, describe, expect, it } from 'vitest'
import type { Script, ScriptedReply } from '@longhaul/models/testing'
import { waitForTitle } from '../testing/wait-for.ts'
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

/** Billed as Anthropic bills: the input is told before the answer begins, which then breaks off. */
const BROKEN_OFF: ScriptedReply = [
  { type: 'stream-start', warnings: [] },
  {
    type: 'custom',
    kind: 'anthropic.message_start',
    providerMetadata: { anthropic: { usage: { input_tokens: 500_000, output_tokens: 1 } } },
  },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'The ladder' },
  { type: 'error', error: new Error('socket hang up') },
]

describe('a summary call that breaks off', () => {
  it('was billed to nobody: it counts in the entry, the totals and the manifest', async () => {
    const under = start(() => BROKEN_OFF)
    const id = await talk(under, 24)
    const entries = await under.entries(id)
    const failed = entries.find((entry) => entry.type === 'maintenance-failed')
    expect(failed).toMatchObject({ work: 'compaction', usage: { input: 1_000_000, output: 2 } })
    const { head } = (await under.agent.inspect(id)).context.state
    expect(head.totals.inputTokens).toBeGreaterThan(1_000_000)
    const { items } = await under.store.requests.list(id, { limit: 100 })
    expect(items.find(({ manifest }) => manifest.purpose === 'summary')).toMatchObject({
      outcome: { result: 'interrupted', usage: { input: 500_000, output: 1 } },
    })
  })

  it('for a title is billed as well', async () => {
    const under = startAgent({ script: (request) => (isTitle(request) ? BROKEN_OFF : 'Noted.') })
    running.push(under)
    const { id } = await under.agent.createSession()
    await under.say(id, 'Hello')
    expect(await waitForTitle(under.store, id)).toBe('Hello')
    const bills = (await under.entries(id)).filter(({ type }) => type === 'bill')
    expect(bills).toMatchObject([{ work: 'title', usage: { input: 500_000, output: 1 } }])
  })
})

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
