import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import type { BaseMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { startWireServer } from '@longhaul/models/testing'
import type { WireReply, WireServer, WireServerOptions } from '@longhaul/models/testing'
import { createInMemoryStore } from '@longhaul/store'
import { createAgent } from 'langchain'
import { afterEach, expect, it } from 'vitest'
import { longhaulMiddleware } from './longhaul-middleware.ts'

const SUMMARY = `<summary>\n+ Goal: plant every bed before the frost\n+ Done: ${'beds were discussed one by one; '.repeat(8)}\n</summary>`
const talk = (chars: number): string => 'The soil is dry and wants some water. '.repeat(Math.ceil(chars / 38))
const isSummary = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): boolean =>
  body['tools'] === undefined
const answer: WireReply = (request) => ({ text: isSummary(request) ? SUMMARY : 'I see.' })

let server: WireServer
const warnings: string[] = []
const warn = (text: string): void => void warnings.push(text)

afterEach(async () => {
  await server.close()
  warnings.length = 0
})

async function createModel(options: WireServerOptions = {}): Promise<ChatOpenAI> {
  server = await startWireServer({ otherwise: answer, ...options })
  return new ChatOpenAI({ model: 'fake-model', apiKey: 'none', configuration: { baseURL: server.baseURL } })
}

function longTalk(turns: number): BaseMessage[] {
  const messages = Array.from({ length: turns }, (_, turn) => [
    new HumanMessage(`Bed ${turn + 1}: ${talk(1_500)}`),
    new AIMessage(`Noted ${turn + 1}.`),
  ])
  return [...messages.flat(), new HumanMessage('And now?')]
}

const turnsSent = () => server.requests.filter((request) => request.refused === null && !isSummary(request))

it('learns a window from a refusal, compacts, and asks once more', async () => {
  const model = await createModel({ windowTokens: 12_000 })
  const agent = createAgent({ model, tools: [], middleware: [longhaulMiddleware({ warn })] })
  const messages = longTalk(40)
  const state = await agent.invoke({ messages }, { configurable: { thread_id: 'overflow' } })
  expect(state.messages.at(-1)?.text).toBe('I see.')
  expect(state.messages).toHaveLength(messages.length + 1)
  expect(server.requests.filter(({ refused }) => refused === 'too-long')).toHaveLength(1)
  expect(turnsSent()).toHaveLength(1)
  expect(warnings).toEqual([])
})

it('any other error is the app’s own', async () => {
  const model = await createModel({ apiKey: 'another' })
  const agent = createAgent({ model, tools: [], middleware: [longhaulMiddleware({ warn })] })
  await expect(agent.invoke({ messages: [new HumanMessage('Hello')] })).rejects.toThrow(/key/i)
  expect(server.requests).toHaveLength(1)
})

it('no word of a summary reaches the streams of the agent’s user', async () => {
  const store = createInMemoryStore()
  const longhaul = longhaulMiddleware({ windowTokens: 12_000, store, warn })
  const model = await createModel()
  const agent = createAgent({ model, tools: [], middleware: [longhaul], checkpointer: new MemorySaver() })
  const config = { configurable: { thread_id: 'streams' } }
  let seen = ''
  for (let turn = 1; turn <= 30; turn += 1) {
    const input = { messages: [{ role: 'user', content: `Bed ${turn}: ${talk(1_500)}` }] }
    if (turn % 2 === 0) {
      for await (const { event, data } of agent.streamEvents(input, { ...config, version: 'v2' })) {
        if (event === 'on_chat_model_stream') seen += JSON.stringify(data.chunk)
        if (event === 'on_chat_model_end') seen += JSON.stringify(data.output)
      }
    } else {
      for await (const [message] of await agent.stream(input, { ...config, streamMode: 'messages' }))
        seen += message.text
    }
  }
  const context = longhaul.context('streams')
  await context.settled()
  expect(server.requests.filter(isSummary).length).toBeGreaterThan(0)
  expect(seen).toContain('I see.')
  expect(seen).not.toContain('beds were discussed')
  expect((await context.entries()).filter(({ type }) => type === 'compaction').length).toBeGreaterThan(0)
  expect(warnings).toEqual([])
  await context.close()
})

it('after an undo the next call sends the original messages again', async () => {
  const longhaul = longhaulMiddleware({ windowTokens: 60_000, store: createInMemoryStore(), warn })
  const agent = createAgent({ model: await createModel(), tools: [], middleware: [longhaul] })
  const messages = longTalk(30)
  const config = { configurable: { thread_id: 'undo' } }
  const context = longhaul.context('undo')
  const sizes: number[] = []
  for (const change of [null, () => context.compact(), () => context.undo()]) {
    await change?.()
    await agent.invoke({ messages }, config)
    sizes.push(turnsSent().at(-1)?.messages.length ?? 0)
  }
  expect(sizes[1]).toBeLessThan(messages.length)
  expect([sizes[0], sizes[2]]).toEqual([messages.length, messages.length])
  expect(warnings).toEqual([])
})

it('a broken store leaves the app’s messages as they are, with one warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-langchain-'))
  const store = join(folder, 'not-a-database')
  await writeFile(store, 'hello '.repeat(1_000))
  const model = await createModel()
  const agent = createAgent({
    model,
    tools: [],
    middleware: [longhaulMiddleware({ windowTokens: 12_000, store, warn })],
  })
  for (const turns of [2, 3]) {
    const messages = longTalk(turns)
    const state = await agent.invoke({ messages }, { configurable: { thread_id: 'broken' } })
    expect(state.messages).toHaveLength(messages.length + 1)
    expect(turnsSent().at(-1)?.messages).toHaveLength(messages.length)
  }
  expect(warnings).toEqual([expect.stringContaining('the request goes out as the host made it')])
  await rm(folder, { recursive: true })
})

it('without a thread, two conversations do not meet', async () => {
  const model = await createModel()
  server.reply({ text: 'I see.' }, { toolCalls: [{ name: 'recall', input: { query: 'tulips' } }] }, { text: 'Done.' })
  const agent = createAgent({ model, tools: [], middleware: [longhaulMiddleware({ warn })] })
  await agent.invoke({ messages: [new HumanMessage('The red tulips are a secret.')] })
  const { messages } = await agent.invoke({ messages: [new HumanMessage('What do you know?')] })
  expect(messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai'])
  expect(messages[2]?.text).toBe('Nothing of that kind was said in this conversation.')
})

it('an agent inside a tool of another agent has a session of its own', async () => {
  const store = createInMemoryStore()
  const model = await createModel()
  server.reply({ toolCalls: [{ name: 'ask_helper', input: {} }] }, { text: 'Helped.' }, { text: 'Done.' })
  const middleware = [longhaulMiddleware({ windowTokens: 12_000, store, warn })]
  const helper = createAgent({ model, tools: [], middleware })
  const askHelper = tool(
    async () => (await helper.invoke({ messages: [new HumanMessage('Help.')] })).messages.at(-1)?.text,
    {
      name: 'ask_helper',
      description: 'Asks a helper.',
      schema: { type: 'object', properties: {} } as const,
    },
  )
  const agent = createAgent({ model, tools: [askHelper], middleware, checkpointer: new MemorySaver() })
  await agent.invoke({ messages: [new HumanMessage('Begin.')] }, { configurable: { thread_id: 'main' } })
  const { items } = await store.sessions.list({})
  expect(new Set(items.map(({ header }) => header['originId']))).toEqual(new Set(['main', 'main/tools']))
  expect(warnings).toEqual([])
})
