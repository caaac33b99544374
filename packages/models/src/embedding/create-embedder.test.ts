import { afterEach, describe, expect, it } from 'vitest'
import { createModels } from '../create-models.ts'
import type { ModelsOptions } from '../create-models.ts'
import type { EmbedCall } from '../port/embedder.ts'
import { createScriptedEmbedding } from '../scripted/create-scripted-embedding.ts'
import type { ScriptedEmbeddingOptions } from '../scripted/create-scripted-embedding.ts'
import { createConnectionError, createHttpError } from '../scripted/scripted-errors.ts'
import { createVirtualClock } from '../stream/testing/virtual-clock.ts'
import { createFastClock } from '../testing/drive-call.ts'
import { startEmbeddingServer } from '../testing/start-embedding-server.ts'
import type { EmbeddingServer, EmbeddingServerOptions } from '../testing/start-embedding-server.ts'

const NEVER = new AbortController().signal
/** Half a minute of real time, so that a busy machine fails no test. */
const PATIENT_MS = 3_000_000
const KEY = 'key-of-this-test-0123456789'

function script(options: ScriptedEmbeddingOptions, more: ModelsOptions = {}) {
  const model = createScriptedEmbedding(options)
  const models = createModels({ extraEmbeddings: { 'my/model': model }, clock: createVirtualClock(), ...more })
  const embedder = models.embedder('my/model')
  return { model, models, embed: (call: EmbedCall, signal = NEVER) => embedder.embed(call, signal) }
}

describe('a model of one’s own', () => {
  it('gives a vector for each text, in their order', async () => {
    const { embed, models } = script({ synonyms: [['car', 'automobile']] })
    const [car, automobile, train] = await embed({ texts: ['car', 'automobile', 'train'] })
    expect(car).toEqual(automobile)
    expect(car).not.toEqual(train)
    expect(models.describe('my/model').available).toBe(true)
    expect(models.embedder('my/model').model).toBe('my/model')
  })

  it('is asked for no more texts at once than it takes, and not at all for none', async () => {
    const { embed, model } = script({ maxTexts: 2 })
    const texts = ['a', 'b', 'c', 'd', 'e']
    const together = await embed({ texts })
    expect(model.calls.map(({ values }) => values.length)).toEqual([2, 2, 1])
    expect(together).toEqual((await Promise.all(texts.map((text) => embed({ texts: [text] })))).flat())
    expect(await embed({ texts: [] })).toEqual([])
    expect(model.calls).toHaveLength(8)
  })

  it('is asked again after throttling, server errors and lost connections, as often as is allowed', async () => {
    const errors = [
      createHttpError({ status: 429, message: 'slow down' }),
      createHttpError({ status: 503, message: 'not now' }),
      createConnectionError(),
    ]
    const failing = () => {
      const left = [...errors]
      return script({
        before: async () => {
          const error = left.shift()
          if (error !== undefined) throw error
        },
      })
    }
    const patient = failing()
    expect(await patient.embed({ texts: ['a'] })).toHaveLength(1)
    expect(patient.model.calls).toHaveLength(4)
    const hurried = failing()
    await expect(hurried.embed({ texts: ['a'], maxRetries: 1 })).rejects.toMatchObject({ failure: { status: 503 } })
    expect(hurried.model.calls).toHaveLength(2)
  })

  it('is given up after the time that is allowed', async () => {
    const { embed } = script({ before: () => new Promise(() => {}) })
    await expect(embed({ texts: ['a'], timeoutMs: 5_000 })).rejects.toMatchObject({
      code: 'call-failed',
      failure: { kind: 'timeout', message: 'The answer was not complete after 5 s.' },
    })
  })

  it('is stopped by the signal, before and while it answers', async () => {
    const stop = new AbortController()
    const { embed, model } = script({ before: () => new Promise(() => stop.abort()) }, { clock: createFastClock(1) })
    await expect(embed({ texts: ['a'] }, stop.signal)).rejects.toMatchObject({ failure: { kind: 'aborted' } })
    expect(model.calls[0]?.abortSignal?.aborted).toBe(true)
    await expect(embed({ texts: ['a'] }, stop.signal)).rejects.toMatchObject({ failure: { kind: 'aborted' } })
    expect(model.calls).toHaveLength(1)
  })

  it('leaves no timer behind', async () => {
    const clock = createVirtualClock()
    const { embed } = script({}, { clock })
    await embed({ texts: ['a'] })
    expect(clock.pending()).toBe(0)
  })

  it.each([
    ['too few', { embeddings: [[1]] }],
    ['empty ones', { embeddings: [[], []] }],
    ['of two lengths', { embeddings: [[1], [1, 2]] }],
  ])('is refused if its vectors are %s', async (_, answer) => {
    const model = { ...createScriptedEmbedding(), doEmbed: async () => ({ ...answer, warnings: [] }) }
    const embedder = createModels({ extraEmbeddings: { 'my/model': model } }).embedder('my/model')
    await expect(embedder.embed({ texts: ['a', 'b'] }, NEVER)).rejects.toThrow('one vector a text')
  })
})

describe('what is too long', () => {
  it('is halved: first the batch, then the text that is too long by itself', async () => {
    const tooLong = createHttpError({ status: 500, message: 'input is too large to process.' })
    const { embed, model } = script({
      before: async ({ values }) => {
        if (values.join('').length > 600) throw tooLong
      },
    })
    const long = 'tea '.repeat(500)
    const [first, second, third] = await embed({ texts: ['one', long, 'three'] })
    const [one, cut, three] = await embed({ texts: ['one', long.slice(0, 500), 'three'] })
    expect([first, second, third]).toEqual([one, cut, three])
    expect(model.calls.every(({ values }) => values.length > 0)).toBe(true)
  })

  it('fails where even a few words are', async () => {
    const tooLong = createHttpError({ status: 413, message: 'too long' })
    const { embed, model } = script({ before: () => Promise.reject(tooLong) })
    await expect(embed({ texts: ['x'.repeat(2_000), 'y'] })).rejects.toMatchObject({ code: 'call-failed' })
    expect(model.calls.length).toBeLessThan(10)
  })
})

describe('a call that cannot be made', () => {
  it.each([
    ['opanai/text-embedding-3-small', 'unknown-model', /did you mean openai\?/],
    ['openai/text-embedding-3-small', 'auth', /OPENAI_API_KEY/],
    ['text-embedding-3-small', 'unknown-model', /write provider\/model/],
  ])('%s is a failure with what to do', async (id, kind, words) => {
    await expect(
      createModels()
        .embedder(id)
        .embed({ texts: ['a'] }, NEVER),
    ).rejects.toMatchObject({
      code: 'call-failed',
      message: expect.stringMatching(words),
      failure: { kind },
    })
  })

  it('says so where a vendor has none', async () => {
    const models = createModels({ environment: { ANTHROPIC_API_KEY: KEY } })
    const call = models.embedder('anthropic/claude-sonnet-5-5').embed({ texts: ['a'] }, NEVER)
    await expect(call).rejects.toThrow('anthropic has no embedding models')
  })
})

describe.each([
  { provider: 'openai', config: {}, path: '/v1/embeddings', header: 'authorization' },
  { provider: 'google', config: {}, path: '/v1/models/some-model:batchEmbedContents', header: 'x-goog-api-key' },
  { provider: 'local', config: { type: 'openai-compatible' }, path: '/v1/embeddings', header: 'authorization' },
] as const)('over HTTP, by $provider', ({ provider, config, path, header }) => {
  let server: EmbeddingServer | undefined
  afterEach(() => server?.close())

  async function connect(options: EmbeddingServerOptions = {}) {
    server = await startEmbeddingServer(options)
    const models = createModels({
      providers: { [provider]: { ...config, apiKey: KEY, baseURL: server.baseURL } },
      clock: createFastClock(100),
    })
    return { requests: server.requests, embedder: models.embedder(`${provider}/some-model`) }
  }

  it('sends texts and key, and reads vectors', async () => {
    const { requests, embedder } = await connect({ synonyms: [['tea', 'Tee', '茶']] })
    const [tea, cha] = await embedder.embed({ texts: ['tea', '茶'], timeoutMs: PATIENT_MS }, NEVER)
    expect(tea).toEqual(cha)
    expect(requests).toMatchObject([{ path, texts: ['tea', '茶'] }])
    expect(requests[0]?.headers[header]).toContain(KEY)
    const [alone] = await embedder.embed({ texts: ['tea'], timeoutMs: PATIENT_MS }, NEVER)
    expect(alone).toEqual(tea)
  })

  it('waits and asks again when it is throttled', async () => {
    let refusals = 2
    const { requests, embedder } = await connect({
      refuse: () => (refusals-- > 0 ? { status: 429, message: 'slow down', headers: { 'retry-after': '1' } } : null),
    })
    expect(await embedder.embed({ texts: ['a'], timeoutMs: PATIENT_MS }, NEVER)).toHaveLength(1)
    expect(requests).toHaveLength(3)
  })

  it('shows nobody the key that an endpoint quotes', async () => {
    const { embedder } = await connect({ refuse: () => ({ status: 401, message: `Incorrect API key: ${KEY}` }) })
    const error: unknown = await embedder
      .embed({ texts: ['a'], timeoutMs: PATIENT_MS }, NEVER)
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'call-failed', failure: { kind: 'auth' } })
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(KEY)
  })
})
