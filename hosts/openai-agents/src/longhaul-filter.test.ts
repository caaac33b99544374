import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWireServer } from '@longhaul/models/testing'
import type { WireReply, WireServer, WireServerOptions } from '@longhaul/models/testing'
import { createInMemoryStore } from '@longhaul/store'
import { Agent, MemorySession, OpenAIProvider, Runner } from '@openai/agents'
import type { AgentInputItem, ModelProvider } from '@openai/agents'
import { afterEach, describe, expect, it } from 'vitest'
import { longhaulFilter } from './longhaul-filter.ts'
import type { LonghaulFilter, LonghaulFilterOptions } from './longhaul-filter.ts'

const SUMMARY = `<summary>\n+ Goal: plant every bed before the frost\n+ Done: ${'beds were discussed one by one; '.repeat(8)}\n</summary>`
const talk = (chars: number): string => 'The soil is dry and wants some water. '.repeat(Math.ceil(chars / 38))
const isSummary = ({ body }: { readonly body: Readonly<Record<string, unknown>> }): boolean =>
  !Array.isArray(body['tools']) || body['tools'].length === 0
const answer: WireReply = (request) => ({ text: isSummary(request) ? SUMMARY : 'I see.' })

let server: WireServer
const warnings: string[] = []
const warn = (text: string): void => void warnings.push(text)

afterEach(async () => {
  await server.close()
  warnings.length = 0
})

async function createProvider(options: WireServerOptions = {}, useResponses = true): Promise<ModelProvider> {
  server = await startWireServer({ otherwise: answer, ...options })
  return new OpenAIProvider({ apiKey: 'none', baseURL: server.baseURL, useResponses })
}

interface Garden {
  readonly longhaul: LonghaulFilter
  readonly runner: Runner
  readonly agent: Agent
}

function openGarden(modelProvider: ModelProvider, options: LonghaulFilterOptions = {}): Garden {
  const longhaul = longhaulFilter({
    store: createInMemoryStore(),
    sessionId: 'garden',
    modelProvider,
    warn,
    ...options,
  })
  const runner = new Runner({
    tracingDisabled: true,
    callModelInputFilter: longhaul,
    modelProvider: longhaul.provider,
  })
  return { longhaul, runner, agent: new Agent({ name: 'Gardener', model: 'fake-model', tools: [longhaul.recall] }) }
}

function longTalk(turns: number): AgentInputItem[] {
  const items = Array.from({ length: turns }, (_, turn): AgentInputItem[] => [
    { role: 'user', content: `Bed ${turn + 1}: ${talk(1_500)}` },
    { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: `Noted ${turn + 1}.` }] },
  ])
  return [...items.flat(), { role: 'user', content: 'And now?' }]
}

const turnsSent = () => server.requests.filter((request) => request.refused === null && !isSummary(request))

describe.each([
  ['Responses', true],
  ['Chat Completions', false],
])('with the model for %s', (_name, useResponses) => {
  it.each([false, true])(
    'learns a window from a refusal, compacts, and asks once more (streamed: %s)',
    async (stream) => {
      const { runner, agent } = openGarden(await createProvider({ windowTokens: 12_000 }, useResponses))
      const items = longTalk(40)
      const result = stream ? await runner.run(agent, items, { stream }) : await runner.run(agent, items)
      if ('completed' in result) await result.completed
      expect(result.finalOutput).toBe('I see.')
      expect(server.requests.filter(({ refused }) => refused === 'too-long').length).toBeGreaterThan(0)
      expect(turnsSent()).toHaveLength(1)
      expect(warnings).toEqual([])
    },
  )

  it('the session keeps the originals of all items, and nothing else', async () => {
    const { longhaul, runner, agent } = openGarden(await createProvider({}, useResponses), { windowTokens: 12_000 })
    const session = new MemorySession()
    const said: string[] = []
    for (let turn = 1; turn <= 30; turn += 1) {
      said.push(`Bed ${turn}: ${talk(1_500)}`)
      await runner.run(agent, said.at(-1) ?? '', { session })
      if (turn === 2) await longhaul.context().pin('Water only at dawn.')
    }
    await longhaul.context().settled()
    expect(server.requests.filter(isSummary).length).toBeGreaterThan(0)
    expect(turnsSent().at(-1)?.messages.length).toBeLessThan(30)
    expect(turnsSent().at(-1)?.text).toContain('Water only at dawn.')
    const kept = (await session.getItems()).map((item) => JSON.stringify('content' in item ? item.content : item))
    expect(kept).toHaveLength(60)
    said.forEach((text, turn) => expect(kept[2 * turn]).toContain(text))
    expect(kept.join('')).not.toContain('beds were discussed')
    expect(kept.join('')).not.toContain('Water only at dawn.')
    expect(warnings).toEqual([])
  })
})

it('without its provider, the filter itself gives back what fits', async () => {
  const provider = await createProvider()
  const { longhaul, agent } = openGarden(provider, { windowTokens: 12_000 })
  const runner = new Runner({ tracingDisabled: true, callModelInputFilter: longhaul, modelProvider: provider })
  const session = new MemorySession()
  for (let turn = 1; turn <= 30; turn += 1) await runner.run(agent, `Bed ${turn}: ${talk(1_500)}`, { session })
  await longhaul.context().settled()
  expect(server.requests.filter(isSummary).length).toBeGreaterThan(0)
  expect(turnsSent().at(-1)?.messages.length).toBeLessThan(30)
  expect(await session.getItems()).toHaveLength(60)
  expect(JSON.stringify(await session.getItems())).not.toContain('beds were discussed')
})

it('where the provider’s models are not used, the next call fits again', async () => {
  const provider = await createProvider()
  const { longhaul, agent } = openGarden(provider, { windowTokens: 12_000 })
  await longhaul.provider.getModel('fake-model')
  const runner = new Runner({ tracingDisabled: true, callModelInputFilter: longhaul, modelProvider: provider })
  const items = longTalk(40)
  for (const _ of [1, 2]) await runner.run(agent, items)
  const [first, second] = turnsSent().map(({ messages }) => messages.length)
  expect(first).toBe(items.length)
  expect(second).toBeLessThan(items.length)
})

it('any other error is the app’s own', async () => {
  const { runner, agent } = openGarden(await createProvider({ apiKey: 'another' }))
  await expect(runner.run(agent, 'Hello')).rejects.toThrow(/key/i)
  expect(server.requests).toHaveLength(1)
})

it('what each call was billed is known, and after an undo the original items are sent again', async () => {
  const { longhaul, runner, agent } = openGarden(await createProvider(), { windowTokens: 60_000 })
  const items = longTalk(30)
  const sizes: number[] = []
  for (const change of [null, () => longhaul.context().compact(), () => longhaul.context().undo()]) {
    await change?.()
    await runner.run(agent, items)
    sizes.push(turnsSent().at(-1)?.messages.length ?? 0)
    expect((await longhaul.context().measure()).source).not.toBe('unknown')
  }
  expect(sizes[1]).toBeLessThan(items.length)
  expect([sizes[0], sizes[2]]).toEqual([items.length, items.length])
  const entries = await longhaul.context().entries()
  expect(entries.some(({ type }) => type === 'compaction-undone')).toBe(true)
  expect(warnings).toEqual([])
})

it('a broken store leaves the app’s items as they are, with one warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longhaul-openai-agents-'))
  const store = join(folder, 'not-a-database')
  await writeFile(store, 'hello '.repeat(1_000))
  const { runner, agent } = openGarden(await createProvider(), { windowTokens: 12_000, store })
  for (const turns of [2, 3]) {
    const items = longTalk(turns)
    await runner.run(agent, items)
    expect(turnsSent().at(-1)?.messages).toHaveLength(items.length)
  }
  expect(warnings).toEqual([expect.stringContaining('the request goes out as the host made it')])
  await rm(folder, { recursive: true })
})

it('a conversation that the provider keeps is passed through', async () => {
  const { longhaul, runner, agent } = openGarden(await createProvider(), { windowTokens: 12_000 })
  server.reply({ toolCalls: [{ name: 'recall', input: { query: 'tulips' } }] }, { text: 'Done.' })
  const { finalOutput } = await runner.run(agent, 'What do you know?', { previousResponseId: 'resp_0' })
  expect(finalOutput).toBe('Done.')
  expect(server.requests.map(({ body }) => body['previous_response_id'])).toEqual(['resp_0', 'resp_1'])
  expect(server.requests[1]?.messages.map(({ role }) => role)).toEqual(['tool'])
  expect((await longhaul.context().entries()).filter(({ type }) => type === 'branch')).toEqual([])
  expect(warnings).toEqual([])
})

it('one filter serves many conversations, which the run’s context names', async () => {
  const store = createInMemoryStore()
  const sessionId = (context: unknown): string => (context as { readonly chat: string }).chat
  const { runner, agent } = openGarden(await createProvider(), { windowTokens: 12_000, store, sessionId })
  await Promise.all(['a', 'b'].map((chat) => runner.run(agent, `This is chat ${chat}.`, { context: { chat } })))
  const { items } = await store.sessions.list({})
  expect(new Set(items.map(({ header }) => header['originId']))).toEqual(new Set(['a', 'b']))
})
