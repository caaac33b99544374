import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOpenAI } from '@ai-sdk/openai'
import { createScriptedModel, startWireServer } from '@longhaul/models/testing'
import type { Script } from '@longhaul/models/testing'
import { createSqliteStore } from '@longhaul/store'
import { ToolLoopAgent, generateText, isStepCount } from 'ai'
import type { ModelMessage } from 'ai'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { longhaul } from './longhaul.ts'
import type { Longhaul } from './longhaul.ts'
import { askOnce, createChatApp } from './testing/chat-app.ts'
import type { WayIn } from './testing/chat-app.ts'

const WAYS: readonly WayIn[] = ['prepareStep', 'model alone']
const SUMMARY = `<summary>\n+ Goal: plant every bed of the garden before the frost comes\n+ Done: ${'beds were discussed one by one; '.repeat(4)}\n</summary>`
const talk = (chars: number): string => 'The soil is dry and wants some water. '.repeat(Math.ceil(chars / 38))

/** Reads a page when it is told to, and writes summaries. */
const gardener: Script = ({ prompt, tools }) => {
  if (tools === undefined) return SUMMARY
  const last = prompt.at(-1)
  const isAsked = last?.role === 'user' && JSON.stringify(last.content).includes('Read page')
  return isAsked ? { toolCalls: [{ name: 'read', input: { page: 7 } }] } : 'Noted.'
}

let folder: string
let store: string
const warnings: string[] = []
const warn = (text: string): void => void warnings.push(text)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-ai-sdk-'))
  store = join(folder, 'sessions.db')
  warnings.length = 0
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function countEntries(lh: Longhaul) {
  const entries = await lh.context.entries()
  const count = (type: string): number => entries.filter((entry) => entry.type === type).length
  return { messages: count('message'), branches: count('branch'), compactions: count('compaction') }
}

describe.each(WAYS)('a chat app with one call for each message, by %s', (way) => {
  it('doubles no entry in 32 messages with tools and compactions', async () => {
    const model = createScriptedModel(gardener)
    const lh = longhaul({ model, windowTokens: 16_000, warn })
    const app = createChatApp(lh, way)
    for (let turn = 1; turn <= 16; turn += 1) {
      await app.say(turn % 4 === 0 ? `Read page ${turn}` : `Bed ${turn}: ${talk(4_000)}`)
      // The last answer is not seen before the next call.
      const seen = (await app.messages()).length - 1
      expect(await countEntries(lh)).toMatchObject({ messages: seen, branches: 0 })
    }
    expect((await countEntries(lh)).compactions).toBeGreaterThan(0)
    expect(model.calls.at(-1)?.prompt.length).toBeLessThan((await app.messages()).length - 10)
    expect(warnings).toEqual([])
    await lh.context.close()
  })

  it('sends the same bytes after a restart with the same store', async () => {
    const setup = { windowTokens: 16_000, sessionId: 'garden', store, warn }
    const before = createScriptedModel(gardener)
    const lh = longhaul({ ...setup, model: before })
    const app = createChatApp(lh, way)
    for (let turn = 1; turn <= 14; turn += 1) await app.say(`Bed ${turn}: ${talk(4_000)}`)
    await lh.context.close()
    const after = createScriptedModel(gardener)
    const again = longhaul({ ...setup, model: after })
    const messages = await app.messages()
    await askOnce(again, [...messages, { role: 'user', content: 'And now?' }], way)
    await again.context.close()
    const earlier = before.calls.findLast(({ tools }) => tools !== undefined)?.prompt.slice(1)
    const later = after.calls[0]?.prompt ?? []
    expect(earlier?.length).toBeLessThan(messages.length)
    expect(JSON.stringify(later.slice(0, earlier?.length))).toBe(JSON.stringify(earlier))
    expect(warnings).toEqual([])
  })
})

describe('a loop of tool calls', () => {
  it('goes on within one call from the app’s own messages, and keeps each once', async () => {
    let step = 0
    const model = createScriptedModel(({ tools }) =>
      tools === undefined
        ? SUMMARY
        : ++step > 30
          ? 'Done.'
          : { toolCalls: [{ name: 'recall', input: { query: 'bed' } }] },
    )
    const lh = longhaul({ model, windowTokens: 8_000, warn })
    const own = new Set<object>()
    const { responseMessages } = await generateText({
      model: lh.model,
      tools: lh.tools,
      stopWhen: isStepCount(40),
      prompt: `Look after the beds. ${talk(6_000)}`,
      async prepareStep(options) {
        ;[...options.initialMessages, ...options.responseMessages].forEach((message) => own.add(message))
        const prepared = await lh.prepareStep(options)
        expect(prepared.messages.filter((message) => message.role === 'assistant').every((each) => own.has(each))).toBe(
          true,
        )
        return { ...prepared, temperature: 0 }
      },
    })
    expect(responseMessages).toHaveLength(61)
    expect(await countEntries(lh)).toMatchObject({ messages: 61, branches: 0 })
    expect(model.calls.every(({ providerOptions }) => providerOptions?.['longhaul'] === undefined)).toBe(true)
  })
})

describe.each(WAYS)('a prompt that is refused as too long, by %s', (way) => {
  it.each([
    ['told too large a window', 64_000],
    ['told no window', undefined],
  ])('is made shorter and sent again when Longhaul was %s: whole answers and streams', async (_, windowTokens) => {
    const server = await startWireServer({
      windowTokens: 12_000,
      otherwise: ({ body }) => ({ text: Array.isArray(body['tools']) || body['stream'] !== true ? SUMMARY : 'Noted.' }),
    })
    onTestFinished(() => server.close())
    const provider = createOpenAI({ baseURL: server.baseURL, apiKey: 'none' })
    // Lessons hold for a model: another one has to be learned anew.
    const open = (kind: string) =>
      longhaul({ model: provider.chat(`${kind} ${way} ${windowTokens}`), windowTokens, warn })
    const refusals = () => server.requests.filter(({ refused }) => refused === 'too-long').length
    const app = createChatApp(open('streams'), way)
    for (let turn = 1; turn <= 14; turn += 1) expect(await app.say(`Bed ${turn}: ${talk(4_000)}`)).not.toBe('')
    const refusedStreams = refusals()
    expect(refusedStreams).toBeGreaterThan(0)
    expect(refusedStreams).toBeLessThanOrEqual(2)
    const whole = open('whole answers')
    const history = [...(await app.messages()), { role: 'user', content: 'And now?' } as const]
    expect(await askOnce(whole, history, way)).not.toBe('')
    expect(refusals()).toBeGreaterThan(refusedStreams)
    expect(server.requests.some(({ refused }) => refused === 'invalid')).toBe(false)
    expect((await whole.context.measure()).windowTokens).toBeLessThanOrEqual(12_000)
    expect(warnings).toEqual([])
  })
})

describe('streams', () => {
  const refusal = {
    type: 'error',
    error: { code: 'context_length_exceeded', message: 'maximum context length is 9000 tokens' },
  }
  const start = { type: 'stream-start', warnings: [] }

  it('a refusal inside the stream, before the first content, is answered as well', async () => {
    let asked = 0
    const model = createScriptedModel(
      ({ tools }) => {
        if (tools === undefined) return SUMMARY
        asked += 1
        return asked === 12 ? ([start, refusal] as never) : 'Noted.'
      },
      { modelId: 'refuses in streams' },
    )
    const lh = longhaul({ model, windowTokens: 100_000, warn })
    const app = createChatApp(lh)
    for (let turn = 1; turn <= 12; turn += 1) expect(await app.say(`Bed ${turn}: ${talk(4_000)}`)).toBe('Noted.')
    expect(asked).toBe(13)
    const [refused, again] = model.calls.filter(({ tools }) => tools !== undefined).slice(-2)
    expect(again?.prompt.length).toBeLessThan(refused?.prompt.length ?? 0)
    expect((await lh.context.measure()).windowTokens).toBe(9_000)
  })

  it('a stream teaches the meter by its bill', async () => {
    const model = createScriptedModel(() => ({ text: 'Noted.', usage: { input: 4_321, output: 5 } }))
    const lh = longhaul({ model, windowTokens: 100_000, warn })
    const app = createChatApp(lh)
    await app.say('Hello')
    await app.say('Hello again')
    const bills = (await lh.context.entries()).flatMap((entry) => ('usage' in entry ? [entry.usage] : []))
    expect(bills).toMatchObject([{ input: 4_321, output: 5 }])
  })

  it('an error of another kind reaches the app as it is', async () => {
    const model = createScriptedModel([{ fails: new Error('The provider is on holiday.') }])
    const lh = longhaul({ model, windowTokens: 100_000, warn })
    await expect(askOnce(lh, [{ role: 'user', content: 'Hello' }])).rejects.toThrow('on holiday')
    expect(model.calls).toHaveLength(1)
  })
})

it('compacts and takes it back on request: the next call sends the app’s messages again', async () => {
  const model = createScriptedModel(gardener)
  const lh = longhaul({ model, windowTokens: 64_000, sessionId: 'garden', store, warn })
  const app = createChatApp(lh)
  for (let turn = 1; turn <= 10; turn += 1) await app.say(`Bed ${turn}: ${talk(4_000)}`)
  await lh.context.compact()
  await app.say('Shorter?')
  const shorter = model.calls.at(-1)?.prompt.length ?? 0
  expect(shorter).toBeLessThan(20)
  await lh.context.undo()
  await app.say('As before?')
  // System text, and every message but the last answer.
  expect(model.calls.at(-1)?.prompt).toHaveLength((await app.messages()).length)
  const id = await lh.context.pin('The frost comes in October.')
  await app.say('Pinned?')
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('The frost comes in October.')
  await lh.context.unpin(id)
  await lh.context.close()
  const opened = await createSqliteStore({ file: store })
  const { items } = await opened.sessions.list({})
  expect(items.map(({ header }) => header)).toMatchObject([{ origin: 'ai-sdk', originId: 'garden' }])
  await opened.close()
})

it.each(WAYS)(
  'fails open, by %s: with a broken store the app’s messages are sent as they are, and one warning is given',
  async (way) => {
    await writeFile(store, 'This is no database. '.repeat(1_000))
    const model = createScriptedModel(() => 'Noted.')
    const lh = longhaul({ model, windowTokens: 8_000, store, warn })
    const messages: ModelMessage[] = Array.from({ length: 21 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${index} ${talk(3_000)}`,
    }))
    expect(await askOnce(lh, messages, way)).toBe('Noted.')
    expect(await askOnce(lh, messages, way)).toBe('Noted.')
    expect(model.calls.map(({ prompt }) => prompt.length)).toEqual([21, 21])
    expect(warnings).toHaveLength(1)
  },
)

it('objects without a name are conversations of their own', async () => {
  const model = createScriptedModel(() => 'Noted.')
  const [one, other] = [longhaul({ model, warn }), longhaul({ model, warn })]
  await askOnce(one, [{ role: 'user', content: 'Hello' }])
  expect((await other.context.entries()).some(({ type }) => type === 'message')).toBe(false)
})

it('serves an agent, which needs no cast either', async () => {
  const model = createScriptedModel([{ toolCalls: [{ name: 'recall', input: { query: 'bed' } }] }, 'Done.'])
  const lh = longhaul({ model, windowTokens: 64_000, warn })
  const agent = new ToolLoopAgent({ model: lh.model, prepareStep: lh.prepareStep, tools: lh.tools })
  expect((await agent.generate({ prompt: 'Look after the beds.' })).text).toBe('Done.')
  expect(await countEntries(lh)).toMatchObject({ messages: 3, branches: 0 })
})
