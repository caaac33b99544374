import { request } from 'node:http'
import { startWireServer } from '@longhaul/models/testing'
import type { WireAnswer, WireRequest, WireServer } from '@longhaul/models/testing'
import { createInMemoryStore } from '@longhaul/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startGateway } from './testing/start-gateway.ts'
import type { GatewayUnderTest } from './testing/start-gateway.ts'

const WINDOW = 32_000
const SUMMARY = '<summary>\n+ Goal: keep the garden\n</summary>'

let server: WireServer
let under: GatewayUnderTest

function answer({ text }: WireRequest): WireAnswer {
  return text.includes('<transcript') || text.includes('<summary>') ? { text: SUMMARY } : { text: 'I see. Go on.' }
}

beforeEach(async () => {
  server = await startWireServer({ windowTokens: WINDOW, otherwise: answer })
  under = await startGateway({
    store: createInMemoryStore(),
    windowOf: () => 200_000,
    upstreams: {
      anthropic: { type: 'anthropic', baseURL: server.baseURL },
      openai: { type: 'openai', baseURL: server.baseURL },
    },
  })
})
afterEach(async () => {
  await under.close()
  await server.close()
})

async function post(path: string, body: object, headers: Record<string, string>): Promise<Headers> {
  const reply = await fetch(under.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'some-model', ...body }),
  })
  expect(reply.status, (await reply.text()).slice(0, 400)).toBe(200)
  return reply.headers
}

const listOf = (sent: WireRequest | undefined, key: string): readonly unknown[] => (sent?.body[key] ?? []) as unknown[]
const talk = (chars: number): string => 'The soil is dry and wants some water. '.repeat(Math.ceil(chars / 38))

describe('Claude Code 2.1.326', () => {
  const SESSION = { 'x-claude-code-session-id': 'c1' }
  const text = (words: string): object => ({ type: 'text', text: words })
  const RULES = text('<system-reminder>\nThe instructions of this project: never water at noon.\n</system-reminder>')
  const mark = (hash: string): object => text(`x-anthropic-billing-header: cc_version=2.1.326.${hash};`)
  const tools = [{ name: 'Read', description: 'Reads a file.', input_schema: { type: 'object' } }]

  async function say(messages: readonly object[], hash = 'ec7'): Promise<Headers> {
    const system = [mark(hash), text('You are a gardener.')]
    return post('/gateway/anthropic/v1/messages?beta=true', { max_tokens: 500, system, tools, messages }, SESSION)
  }

  it('keeps what the client put before the first words, when those are summarized', async () => {
    const messages: object[] = [{ role: 'user', content: [RULES, text(`Turn 0. ${talk(6_000)}`)] }]
    for (let turn = 1; turn <= 20; turn += 1) {
      await say(messages)
      messages.push({ role: 'assistant', content: [text('I see. Go on.')] })
      messages.push({ role: 'user', content: `Turn ${turn}. ${talk(6_000)}` })
    }
    await say(messages)
    const sent = server.requests.at(-1)
    expect(sent?.messages.length).toBeLessThan(messages.length / 2)
    expect(listOf(sent, 'messages').slice(0, 3)).toMatchObject([
      { role: 'user', content: [RULES] },
      { role: 'user' },
      {},
    ])
    expect(server.requests.filter(({ refused }) => refused !== null)).toHaveLength(1)
    // Once a refusal has told the window, each request that would not have fitted counts.
    expect(under.gateway.report().refusalsAvoided).toBe(under.gateway.report().edited)
  })

  it("is the same conversation after the client's own compaction, which changes the mark in its system text", async () => {
    const first = [{ role: 'user', content: [RULES, text('Hello.')] }]
    const before = await say(first)
    await say([...first, { role: 'assistant', content: 'I see.' }, { role: 'user', content: OWN_SUMMARY }])
    const after = await say([{ role: 'user', content: `${GOES_ON} We said hello.` }], 'e27')
    expect(after.get('x-longhaul-session')).toBe(before.get('x-longhaul-session'))
  })

  const OWN_SUMMARY = 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.'
  const GOES_ON = 'This session is being continued from a previous conversation that ran out of context.'
})

describe('Codex 0.169.0', () => {
  const HEADERS = { 'session-id': 's1', 'thread-id': 's1', 'x-codex-window-id': 's1:0', originator: 'codex_exec' }
  const said = (role: string, words: string): object => ({
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: words }],
  })
  const TOOLS = {
    type: 'additional_tools',
    role: 'developer',
    tools: [{ type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec', description: 'Runs.' }] }],
  }
  const PLACE = said('user', '<environment_context>\n  <cwd>/garden</cwd>\n</environment_context>')
  const say = (input: readonly object[], headers: Record<string, string> = {}): Promise<Headers> =>
    post('/gateway/openai/v1/responses', { stream: true, store: false, input }, { ...HEADERS, ...headers })

  it('offers tools in the list: they stay, and so does what surrounds the client', async () => {
    const input: object[] = [TOOLS, said('developer', 'You are a gardener.'), PLACE]
    for (let turn = 0; turn <= 20; turn += 1) {
      input.push(said('user', `Turn ${turn}. ${talk(6_000)}`))
      await say(input)
      input.push(said('assistant', 'I see. Go on.'))
    }
    const sent = server.requests.at(-1)
    expect(sent?.messages.length).toBeLessThan(input.length / 2)
    expect(listOf(sent, 'input').slice(0, 3)).toEqual(input.slice(0, 3))
    expect(under.gateway.report()).toMatchObject({ requests: 21, refusalsUpstream: 1 })
  })

  it('is asked for summaries in the members that it uses itself, and in a stream', async () => {
    const input: object[] = [TOOLS, PLACE]
    for (let turn = 0; turn <= 20; turn += 1) {
      input.push(said('user', `Turn ${turn}. ${talk(6_000)}`))
      await say(input)
      input.push(said('assistant', 'I see. Go on.'))
    }
    const summary = server.requests.find(({ body }) => !JSON.stringify(body['input']).includes('additional_tools'))
    expect(Object.keys(summary?.body ?? {})).toEqual(['model', 'input', 'store', 'stream'])
    const { summaries } = under.gateway.report()
    expect(summaries.calls).toBeGreaterThan(0)
    expect(summaries.output).toBeGreaterThan(0)
    expect(server.requests.at(-1)?.text).toContain('keep the garden')
  })

  it("is the same conversation after the client's own compaction, which moves what surrounds it", async () => {
    const summary = said('user', 'Another language model started to solve this problem. It said hello.')
    const ROLE = said('developer', 'You work alone.')
    const before = await say([TOOLS, ROLE, PLACE, said('user', 'Hello.')])
    await say([TOOLS, ROLE, PLACE, said('user', 'Hello.'), said('assistant', 'I see.'), said('user', 'Summarize.')], {
      'x-codex-turn-metadata': '{"request_kind":"compaction"}',
    })
    const after = await say([TOOLS, said('user', 'Hello.'), ROLE, PLACE, summary, said('user', 'Go on.')])
    expect(after.get('x-longhaul-session')).toBe(before.get('x-longhaul-session'))
  })

  it('an agent that another one started has a conversation of its own', async () => {
    const first = await say([TOOLS, PLACE, said('user', 'Hello.')])
    const other = await say([TOOLS, PLACE, said('user', 'Hello.')], { 'thread-id': 't2' })
    expect(first.get('x-longhaul-session')).toBe('codex-s1')
    expect(other.get('x-longhaul-session')).toBe('codex-s1:t2')
  })

  it('is told at once that there are no sockets here, so that it goes on over HTTP', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
      const asked = request(`${under.url}/gateway/openai/v1/responses`, { headers }, (reply) => {
        reply.resume()
        resolve(reply.statusCode)
      })
      asked.on('error', reject).end()
    })
    expect(status).toBe(426)
    expect(server.requests).toEqual([])
  })
})
