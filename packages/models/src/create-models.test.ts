import { afterEach, describe, expect, it } from 'vitest'
import { createModels } from './create-models.ts'
import { ModelsError } from './models-error.ts'
import { createScriptedModel } from './scripted/create-scripted-model.ts'
import { collect, createCall, createFastClock, failureOf, finishOf } from './testing/drive-call.ts'
import { startWireServer } from './testing/wire/start-wire-server.ts'
import type { WireReply } from './testing/wire/wire-reply.ts'
import type { WireServer } from './testing/wire/start-wire-server.ts'

/** Half a minute of real time, so that a busy machine fails no test. */
const PATIENT_MS = 3_000_000

const NEVER = new AbortController().signal

let server: WireServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function connectLocal(...replies: readonly WireReply[]) {
  server = await startWireServer({ replies })
  const local = { type: 'openai-compatible', baseURL: server.baseURL } as const
  return createModels({ providers: { local }, clock: createFastClock(100) })
}

describe('the default model', () => {
  it('is the configured one', () => {
    const models = createModels({ defaultModel: 'local/mine', environment: { OPENAI_API_KEY: 'key' } })
    expect(models.defaultModel).toBe('local/mine')
  })

  it('is of the first vendor with a key, and one the table knows', () => {
    for (const variable of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']) {
      const models = createModels({ environment: { [variable]: 'key' } })
      const info = models.describe(models.defaultModel)
      expect(info).toMatchObject({ available: true, asOf: expect.any(String), price: expect.anything() })
      expect(info.contextWindow).toBeGreaterThan(100_000)
    }
  })

  it('is the offline model where nobody has a key', () => {
    const models = createModels()
    expect(models.defaultModel).toBe('offline/extractive')
    expect(models.describe(models.defaultModel).available).toBe(true)
  })
})

describe('what is known about models', () => {
  it('ONE-01 any id gets an answer, and an unknown window is null', () => {
    expect(createModels().describe('nobody/knows')).toMatchObject({
      contextWindow: null,
      price: null,
      available: false,
    })
  })

  it('OPEN-03 the table’s word and the user’s are kept apart', () => {
    const models = createModels({
      models: { 'openai/gpt-4o': { contextWindow: 64_000 } },
      providers: { anthropic: { models: { 'some-model': { contextWindow: 50_000 } } } },
    })
    expect(models.windowOf('openai/gpt-4o')).toEqual({ registry: 128_000, override: 64_000 })
    expect(models.windowOf('anthropic/some-model')).toEqual({ registry: null, override: 50_000 })
    expect(models.list().map(({ id }) => id)).toContain('anthropic/some-model')
  })

  it('a model is available once its provider can be called', () => {
    const models = createModels({ environment: { ANTHROPIC_API_KEY: 'key' } })
    const available = new Set(models.list().flatMap(({ available: can, provider }) => (can ? [provider] : [])))
    expect([...available].toSorted()).toEqual(['anthropic', 'offline'])
  })

  it('a call is priced by the user’s word where there is one', () => {
    const models = createModels({ models: { 'local/m': { price: { input: 2, output: 10 } } } })
    expect(models.price('local/m', { input: 1_000_000, output: 100_000 })).toBe(3)
    expect(models.price('local/other', { input: 1, output: 1 })).toBeNull()
  })

  it('wrong configuration is refused with what to do', () => {
    expect(() => createModels({ providers: { local: { baseURL: 'http://127.0.0.1:1/v1' } } })).toThrow(ModelsError)
    expect(() => createModels({ overflowPatterns: [{ pattern: '(', kind: 'input-overflow' }] })).toThrow(ModelsError)
  })
})

describe('a call that cannot be made', () => {
  it.each([
    ['antropic/claude-opus-5-5', 'unknown-model', /did you mean anthropic\?/],
    ['gpt-4o', 'unknown-model', /write provider\/model/],
    ['offline/other', 'unknown-model', /offline\/extractive/],
    ['openai/gpt-4o', 'auth', /OPENAI_API_KEY/],
  ])('%s is a failure with what to do', async (id, kind, words) => {
    const events = await collect(createModels().stream(id, createCall('Hi.'), NEVER))
    expect(events).toHaveLength(1)
    expect(failureOf(events).failure).toMatchObject({ kind, message: expect.stringMatching(words), isRetryable: false })
  })
})

describe('overflow patterns', () => {
  it('of the user teach a text that nobody knows', async () => {
    server = await startWireServer({
      otherwise: { fault: 'http', status: 400, body: { error: { message: 'Zu lang: 9000 von 8000' } } },
    })
    const models = createModels({
      providers: { local: { type: 'openai-compatible', baseURL: server.baseURL } },
      overflowPatterns: [{ pattern: String.raw`zu lang: (?<actual>\d+) von (?<limit>\d+)`, kind: 'input-overflow' }],
    })
    expect(failureOf(await collect(models.stream('local/m', createCall('Hi.'), NEVER))).failure).toMatchObject({
      kind: 'input-overflow',
      tokens: { actual: 9_000, limit: 8_000 },
    })
  })
})

describe('asker', () => {
  const request = { model: 'session', system: 'Summarise.', prompt: 'Long ago …', maxOutputTokens: 200, temperature: 0 }

  it('asks the session’s model, or the one that is named, and gives the whole answer', async () => {
    const models = await connectLocal(
      { text: ['In ', 'short.'], usage: { input: 40, output: 5 } },
      { text: 'As named.' },
    )
    const ask = models.asker('local/of-the-session')
    const reply = await ask({ ...request, timeoutMs: PATIENT_MS }, NEVER)
    expect(reply).toMatchObject({ text: 'In short.', finish: 'stop', usage: { input: 40, output: 5 } })
    await ask({ ...request, model: 'local/named', timeoutMs: PATIENT_MS }, { aborted: false })
    expect(server?.requests.map(({ model }) => model)).toEqual(['of-the-session', 'named'])
    expect(server?.requests[0]?.messages.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'Summarise.'],
      ['user', 'Long ago …'],
    ])
  })

  it('says when an answer was cut by its limit', async () => {
    const models = await connectLocal({ text: 'In sho', finish: 'length' })
    expect(await models.asker('local/m')({ ...request, timeoutMs: PATIENT_MS }, NEVER)).toMatchObject({
      finish: 'length',
    })
  })

  it('ONE-14 does not try again by itself, and rejects with the failure', async () => {
    const models = await connectLocal({ fault: 'http', status: 503, body: { error: { message: 'Busy' } } })
    const asked = models.asker('local/m')({ ...request, timeoutMs: PATIENT_MS }, NEVER)
    await expect(asked).rejects.toMatchObject({ code: 'call-failed', failure: { kind: 'unavailable', status: 503 } })
    expect(server?.requests).toHaveLength(1)
  })

  it('rejects with the bill of an answer that broke off', async () => {
    const usage = { input: 400, output: 50 }
    server = await startWireServer({
      replies: [{ text: ['In ', 'short.'], usage, breaksOff: { afterPieces: 1, how: 'reset' } }],
    })
    const models = createModels({ providers: { anthropic: { apiKey: 'key', baseURL: server.baseURL } } })
    const asked = models.asker('anthropic/claude-opus-5-5')({ ...request, timeoutMs: PATIENT_MS }, NEVER)
    await expect(asked).rejects.toMatchObject({
      code: 'call-failed',
      failure: { kind: 'interrupted' },
      usage: { input: 400, costUsd: expect.any(Number) as number },
    })
  })

  it('ONE-16 times out as a whole, however much it sends', async () => {
    const pieces = Array.from({ length: 1_000 }, () => 'on and on ')
    const models = await connectLocal({ text: pieces, delays: { pieceMs: 2 } })
    const asked = models.asker('local/m')({ ...request, timeoutMs: 5_000 }, NEVER)
    await expect(asked).rejects.toMatchObject({ failure: { kind: expect.stringMatching(/timeout|interrupted/) } })
  })

  it('stops when it is cancelled', async () => {
    const models = await connectLocal({ fault: 'silence' })
    const asked = models.asker('local/m')({ ...request, timeoutMs: PATIENT_MS }, { aborted: true })
    await expect(asked).rejects.toMatchObject({ failure: { kind: 'aborted' } })
  })
})

describe('a model of one’s own', () => {
  const info = { contextWindow: 1_000, price: { input: 1, output: 1 } }

  it('is described, listed, streamed and priced like any other', async () => {
    const model = createScriptedModel(['Hello from the script.'])
    const models = createModels({ extra: { 'my/model': { model, info } } })
    expect(models.describe('my/model')).toMatchObject({ contextWindow: 1_000, available: true, provider: 'my' })
    expect(models.list().find(({ id }) => id === 'my/model')?.available).toBe(true)
    expect(models.windowOf('my/model')).toEqual({ registry: null, override: 1_000 })
    const { parts, usage } = finishOf(await collect(models.stream('my/model', createCall('Hi.'), NEVER)))
    expect(parts).toEqual([{ type: 'text', text: 'Hello from the script.' }])
    expect(usage?.costUsd).toBeGreaterThan(0)
    expect(model.calls).toHaveLength(1)
  })

  it('needs nothing to be known about it', async () => {
    const models = createModels({ extra: { 'my/model': { model: createScriptedModel(['ok']) } } })
    expect(models.describe('my/model')).toMatchObject({ contextWindow: null, available: true })
    expect(failureOf(await collect(models.stream('my/other', createCall('Hi.'), NEVER))).failure.message).toContain(
      'my/model',
    )
  })

  it('configured facts have the last word', () => {
    const extra = { 'my/model': { model: createScriptedModel([]), info } }
    const models = createModels({ extra, models: { 'my/model': { contextWindow: 500 } } })
    expect(models.describe('my/model')).toMatchObject({ contextWindow: 500 })
  })
})

describe('the offline model', () => {
  it('answers without a network, and costs nothing', async () => {
    const models = createModels({
      fetch: () => Promise.reject(new Error('there is no network')),
    })
    const call = createCall('My cat is called Minka. What is my cat called?')
    const { parts, usage } = finishOf(await collect(models.stream('offline/extractive', call, NEVER)))
    expect(JSON.stringify(parts)).toContain('Minka')
    expect(usage?.costUsd).toBe(0)
  })

  it.each([{ offline: { windowTokens: 500 } }, { models: { 'offline/extractive': { contextWindow: 500 } } }])(
    'has the window it is given: %j',
    async (options) => {
      const models = createModels(options)
      expect(models.describe('offline/extractive').contextWindow).toBe(500)
      const long = createCall('word '.repeat(2_000))
      expect(failureOf(await collect(models.stream('offline/extractive', long, NEVER))).failure).toMatchObject({
        kind: 'input-overflow',
        tokens: { limit: 500 },
      })
    },
  )
})
