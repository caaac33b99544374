import { startWireServer } from '@longhaul/models/testing'
import type { WireAnswer, WireRequest, WireServer } from '@longhaul/models/testing'
import { createInMemoryStore } from '@longhaul/store'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startGateway } from './testing/start-gateway.ts'
import type { GatewayUnderTest } from './testing/start-gateway.ts'
import { fieldsOf } from './wires/read-content.ts'

const WINDOW = 32_000
const TURNS = 30
const NOTE = '<system-reminder>\nThe list of tasks is empty. This was not said by the user.\n</system-reminder>'

let server: WireServer
let under: GatewayUnderTest

/** Thinks, reads two files at once, thinks again, and answers. */
function answer({ body, messages }: WireRequest): WireAnswer {
  if (!Array.isArray(body['tools'])) return { text: '<summary>\n+ Goal: read all files\n</summary>' }
  const isAnswered = (messages.at(-1)?.resultIds.length ?? 0) > 0
  const reasoning = `I think about ${messages.length} messages.`
  if (isAnswered) return { reasoning, text: 'I have read them.' }
  const read = (part: string) => ({
    name: 'read_file',
    input: { path: `notes/${part}.md`, big: 9_007_199_254_740_991 },
  })
  return { reasoning, toolCalls: [read('one'), read('two')] }
}

beforeEach(async () => {
  server = await startWireServer({ windowTokens: WINDOW, otherwise: answer })
  const upstream = server.baseURL.replace(/\/v1$/, '')
  under = await startGateway({
    store: createInMemoryStore(),
    windowOf: () => WINDOW,
    upstreams: {
      anthropic: { type: 'anthropic', baseURL: upstream },
      openai: { type: 'openai', baseURL: upstream },
    },
  })
})
afterEach(async () => {
  await under.close()
  await server.close()
})

const TOOL = { name: 'read_file', description: 'Reads a file.' }
const output = (id: unknown): string => `File for ${String(id)}: ${'export const one = 1\n'.repeat(150)}`

async function post(path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const reply = await fetch(under.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-longhaul-session': 'loop' },
    body: JSON.stringify({ model: 'some-model', ...body }),
  })
  const text = await reply.text()
  expect(reply.status, text.slice(0, 500)).toBe(200)
  return fieldsOf(JSON.parse(text))
}

async function loopAnthropic(messages: unknown[]): Promise<void> {
  for (;;) {
    const { content } = await post('/gateway/anthropic/v1/messages', {
      max_tokens: 500,
      tools: [{ ...TOOL, input_schema: { type: 'object' } }],
      messages,
    })
    const blocks = (content as unknown[]).map(fieldsOf)
    messages.push({ role: 'assistant', content: blocks })
    const calls = blocks.filter(({ type }) => type === 'tool_use')
    if (calls.length === 0) return
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: output(id) }))
    messages.push({ role: 'user', content: [...results, { type: 'text', text: NOTE }] })
  }
}

async function loopResponses(input: unknown[]): Promise<void> {
  for (;;) {
    const reply = await post('/gateway/openai/v1/responses', {
      tools: [{ type: 'function', ...TOOL }],
      input,
      store: false,
    })
    const items = (reply['output'] as unknown[]).map(fieldsOf)
    input.push(...items)
    const calls = items.filter(({ type }) => type === 'function_call')
    if (calls.length === 0) return
    for (const { call_id: id } of calls) input.push({ type: 'function_call_output', call_id: id, output: output(id) })
  }
}

it.each([
  ['anthropic', loopAnthropic],
  ['openai-responses', loopResponses],
] as const)('an agent with thinking and parallel calls goes on past the window over %s', async (_wire, loop) => {
  const history: unknown[] = []
  for (let turn = 0; turn < TURNS; turn += 1) {
    history.push({ role: 'user', content: `Turn ${turn}: read the notes. ${'And then some. '.repeat(30)}` })
    await loop(history)
  }
  expect(server.requests.flatMap(({ refused }) => refused ?? [])).toEqual([])
  expect(under.lines).toEqual([])
  expect(under.gateway.report().edited).toBeGreaterThan(10)
  const last = server.requests.findLast(({ body }) => Array.isArray(body['tools']))
  expect(last?.text).toContain(`Turn ${TURNS - 1}`)
  expect(last?.text).toMatch(/big\\?":9007199254740991/)
})
