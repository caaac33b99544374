import { createInMemoryStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startGateway } from '../testing/start-gateway.ts'
import type { GatewayUnderTest } from '../testing/start-gateway.ts'
import { startRecorder } from '../testing/start-recorder.ts'
import type { Recorder } from '../testing/start-recorder.ts'

let upstream: Recorder
let store: Store
let under: GatewayUnderTest

const start = (): Promise<GatewayUnderTest> =>
  startGateway({
    store,
    windowOf: () => 32_000,
    upstreams: {
      anthropic: { type: 'anthropic', baseURL: upstream.baseURL },
      openai: { type: 'openai', baseURL: upstream.baseURL },
    },
  })

beforeEach(async () => {
  upstream = await startRecorder((_call, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end(
      JSON.stringify({ content: [{ type: 'text', text: 'I see.' }], usage: { input_tokens: 9, output_tokens: 2 } }),
    )
  })
  store = createInMemoryStore()
  under = await start()
})
afterEach(async () => {
  await under.close()
  await upstream.close()
})

const tool = (name: string) => ({ name, description: 'Does something.', input_schema: { type: 'object' } })
const talk = (turns: number, topic: string): object[] =>
  Array.from({ length: turns }, (_each, turn) => [
    { role: 'user', content: `${topic} ${turn}` },
    { role: 'assistant', content: [{ type: 'text', text: `About ${topic} ${turn}` }] },
  ]).flat()
const user = (content: unknown) => ({ role: 'user', content })

interface Call {
  readonly messages: readonly object[]
  readonly headers?: Record<string, string>
  readonly system?: unknown
  readonly tools?: readonly object[]
  readonly more?: object
  readonly path?: string
}

/** Makes a call and resolves with the id of the stored session; null: there is none. */
async function call({
  messages,
  headers = {},
  system = 'You are an agent.',
  tools = [tool('read')],
  more = {},
  path,
}: Call): Promise<string | null> {
  const answer = await fetch(under.url + (path ?? '/gateway/anthropic/v1/messages'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer t1', ...headers },
    body: JSON.stringify({ model: 'some-model', max_tokens: 10, system, tools, messages, ...more }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
  return answer.headers.get('x-longhaul-session')
}

const claude = { 'x-claude-code-session-id': 'aaaa-1111' }

describe('a client that names its conversation', () => {
  it.each([
    ['claude-code-aaaa-1111', claude, {}],
    [
      'claude-code-bbbb-2222',
      { 'user-agent': 'claude-cli/2.1' },
      { metadata: { user_id: '{"device_id":"d","session_id":"bbbb-2222"}' } },
    ],
    ['claude-code-cccc-3333', {}, { metadata: { user_id: 'user_x_account_y_session_cccc-3333' } }],
    ['codex-dddd', { 'session-id': 'dddd', 'user-agent': 'codex_exec/0.169.0' }, {}],
    ['codex-eeee', { 'x-codex-window-id': 'eeee:0' }, { prompt_cache_key: 'eeee' }],
    ['opencode-ffff', { 'x-session-id': 'ffff', 'x-session-affinity': 'ffff' }, {}],
    ['gateway-mine', { 'x-longhaul-session': 'mine' }, {}],
  ] as const)('is stored as %s', async (id, headers, more) => {
    expect(await call({ messages: [user('Go.')], headers, more })).toBe(id)
  })

  it('may name it in the path', async () => {
    const path = '/gateway/s/my-own/anthropic/v1/messages'
    expect(await call({ messages: [user('Go.')], path })).toBe('gateway-my-own')
    expect(upstream.calls.at(-1)?.url).toBe('/v1/messages')
  })

  it('keeps it with another token, another system text, an edited message and after a restart', async () => {
    const long = talk(3, 'garden')
    const first = await call({ messages: [...long, user('One.')], headers: claude })
    const others = [
      { headers: { ...claude, authorization: 'Bearer t2' }, messages: [...long, user('One.')] },
      { headers: claude, messages: [...long, user('Two.')] },
      {
        headers: claude,
        messages: [...talk(5, 'garden'), user('Three.')],
        system: 'You are an agent. Today is Monday.',
      },
    ]
    expect(await call(others[0] as Call)).toBe(first)
    expect(await call(others[1] as Call)).toBe(first)
    expect(
      await call({ ...(others[2] as Call), messages: [...long, user('Two.'), ...talk(1, 'x'), user('Three.')] }),
    ).toBe(first)
    await under.close()
    under = await start()
    expect(await call(others[1] as Call)).toBe(first)
    expect((await store.sessions.list({})).items).toHaveLength(1)
  })

  it('keeps its agents apart, and goes on with the first one after a summary of its own', async () => {
    const main = await call({ messages: [...talk(3, 'garden'), user('Go on.')], headers: claude })
    const agent = { headers: claude, system: 'You search files.', tools: [tool('grep')] }
    const one = await call({ ...agent, messages: [user('Find the first thing.')] })
    const two = await call({ ...agent, messages: [user('Find the second thing.')] })
    expect(new Set([main, one, two]).size).toBe(3)
    expect(
      await call({ ...agent, messages: [user('Find the first thing.'), ...talk(1, 'x').slice(1), user('More.')] }),
    ).toBe(one)

    const compacting = user('CRITICAL: Respond with TEXT ONLY. Write a summary.')
    expect(await call({ messages: [...talk(4, 'garden'), compacting], headers: claude, tools: [] })).not.toBeNull()
    const summary = user('This session is being continued from a previous conversation.')
    expect(await call({ messages: [summary, ...talk(1, 'x').slice(1), user('Next.')], headers: claude })).toBe(main)
  })

  it('leaves nothing behind for titles, topics and checks of the quota', async () => {
    const opencode = { 'x-session-id': 'ffff', 'x-session-affinity': 'ffff' }
    expect(
      await call({ messages: [user('Generate a title:'), user('Hello')], headers: opencode, tools: [] }),
    ).toBeNull()
    expect(await call({ messages: [user('quota')], headers: claude, tools: [], more: { max_tokens: 1 } })).toBeNull()
    await call({ messages: [user('foo')], headers: claude, path: '/gateway/anthropic/v1/messages/count_tokens' })
    expect((await store.sessions.list({})).items).toEqual([])
  })
})

describe('a client that names nothing', () => {
  it('is known by its messages, however it writes them', async () => {
    const first = await call({ messages: [...talk(2, 'garden'), user('One.')] })
    const marked = { type: 'text', text: 'One.', cache_control: { type: 'ephemeral' } }
    const again = [...talk(2, 'garden'), user([marked]), { role: 'assistant', content: 'Yes.' }, user('Two.')]
    expect(await call({ messages: again })).toBe(first)
    await under.close()
    under = await start()
    expect(await call({ messages: [...again, { role: 'assistant', content: 'So.' }, user('Three.')] })).toBe(first)
  })

  it('is another with another credential, other tools or another past', async () => {
    const messages = [...talk(2, 'garden'), user('One.')]
    const ids = [
      await call({ messages }),
      await call({ messages, headers: { authorization: 'Bearer other' } }),
      await call({ messages, tools: [tool('write')] }),
      await call({ messages: [...talk(1, 'garden'), user('Another way.')] }),
    ]
    expect(new Set(ids).size).toBe(4)
    expect(ids.every((id) => id !== null && !id.includes('Bearer'))).toBe(true)
  })

  it('is the same where it changes its newest message, and another where less is shared', async () => {
    const past = talk(6, 'garden')
    const first = await call({ messages: [...past, user('One.')] })
    expect(await call({ messages: [...past, user('One, in other words.')] })).toBe(first)
    const ids = [
      await call({ messages: [...talk(4, 'garden'), user('Another way.')] }),
      await call({ messages: [...talk(2, 'garden'), user('One.')] }),
      await call({ messages: [...talk(2, 'garden'), user('Two.')] }),
    ]
    expect(new Set([first, ...ids]).size).toBe(4)
  })

  it('leaves nothing behind for a first message without tools, and is known from its second', async () => {
    expect(await call({ messages: [user('Hello')], tools: [] })).toBeNull()
    expect(await call({ messages: [...talk(1, 'x'), user('And?')], tools: [] })).not.toBeNull()
  })
})
