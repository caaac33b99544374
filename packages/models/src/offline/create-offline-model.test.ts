import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { APICallError } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { createErrorClassifier } from '../overflow/create-error-classifier.ts'
import { loadCountTokens } from './count-tokens.ts'
import { createOfflineModel } from './create-offline-model.ts'
import { NOTE } from './own-words.ts'
import { askOffline, findFaults } from './testing/ask-offline.ts'
import { TOOLS, assistant, used, user } from './testing/build-prompt.ts'

const DOG: LanguageModelV4Prompt = [
  user('My dog is called Biscuit.'),
  assistant('Nice.'),
  user('What is my dog called?'),
]
const LONG: LanguageModelV4Prompt = [
  user('read a.txt'),
  ...used('read_file', { path: 'a.txt' }, 'Alpha beta gamma. '.repeat(60)),
]

describe('a reply', () => {
  it('is the same whenever the same is asked, streamed or not', async () => {
    const call = { prompt: DOG, tools: [...TOOLS] }
    const first = await askOffline(call)
    expect(await askOffline(call)).toEqual(first)
    const whole = await createOfflineModel().doGenerate(call)
    expect(whole.content).toEqual([{ type: 'text', text: first.text }])
    expect(first.parts.at(-1)).toEqual({ type: 'finish', usage: whole.usage, finishReason: whole.finishReason })
    expect(findFaults(first.parts)).toEqual([])
    expect(first.text).toBe('From your message:\n> My dog is called Biscuit.')
  })

  it('says on the first line of a conversation what it is, and not again', async () => {
    const [first] = (await askOffline({ prompt: [user('I like tea. What do I like?')] })).text.split('\n')
    expect(first).toBe(NOTE)
    expect((await askOffline({ prompt: DOG })).text).not.toContain('LLM')
    expect((await askOffline({ prompt: [user('hello')] })).text).toMatch(/not an LLM/)
    expect((await askOffline({ prompt: [...DOG, assistant('Biscuit.'), user('Who are you?')] })).text).toMatch(
      /not an LLM/,
    )
  })

  it('names calls so that no two in a conversation share a name', async () => {
    const ids = new Set<string>()
    let prompt: LanguageModelV4Prompt = []
    for (let turn = 0; turn < 5; turn += 1) {
      prompt = [...prompt, user('read a.txt and b.txt')]
      const { parts } = await askOffline({ prompt, tools: [...TOOLS] })
      for (const part of parts) if (part.type === 'tool-call') ids.add(part.toolCallId)
      prompt = [...prompt, ...used('read_file', { path: 'a.txt' }, 'x'), assistant('Read.')]
    }
    expect(ids.size).toBe(10)
  })

  it('warns of what it does not do', async () => {
    const { parts } = await askOffline({ prompt: DOG, responseFormat: { type: 'json' }, stopSequences: ['x'] })
    expect(parts[0]).toEqual({
      type: 'stream-start',
      warnings: [
        { type: 'unsupported', feature: 'responseFormat' },
        { type: 'unsupported', feature: 'stopSequences' },
      ],
    })
  })
})

describe('the output limit', () => {
  it('cuts, and says so', async () => {
    const count = await loadCountTokens()
    const { text, parts } = await askOffline({ prompt: LONG, maxOutputTokens: 20 })
    expect(count(text)).toBeLessThanOrEqual(20)
    expect(count(text)).toBeGreaterThan(15)
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'length' } })
    expect(findFaults(parts)).toEqual([])
  })

  it('never sends half a call', async () => {
    const { calls, parts } = await askOffline({ prompt: [user('read a.txt')], tools: [...TOOLS], maxOutputTokens: 5 })
    expect(calls).toEqual([])
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'length' } })
  })
})

describe('usage', () => {
  const usageOf = async (call: LanguageModelV4CallOptions, model = createOfflineModel()) =>
    (await model.doGenerate(call)).usage

  it('counts with a tokenizer what was sent and said', async () => {
    const count = await loadCountTokens()
    const texts = ['My dog is called Biscuit.', 'Nice.', 'What is my dog called?']
    const { inputTokens, outputTokens } = await usageOf({ prompt: DOG })
    expect(inputTokens.total).toBe(texts.reduce((sum, text) => sum + count(text) + 4, 0))
    expect(outputTokens.total).toBe(count('From your message:\n> My dog is called Biscuit.'))
    const withTools = await usageOf({ prompt: DOG, tools: [...TOOLS] })
    expect(withTools.inputTokens.total).toBe((inputTokens.total ?? 0) + count(JSON.stringify(TOOLS)))
  })

  it('reads from its cache what it was sent before', async () => {
    const model = createOfflineModel({ hasPromptCache: true })
    const first = await usageOf({ prompt: DOG }, model)
    expect(first.inputTokens.cacheRead).toBe(0)
    const grown = [...DOG, assistant('Biscuit.'), user('And my cat?')]
    const second = await usageOf({ prompt: grown }, model)
    expect(second.inputTokens.cacheRead).toBe(first.inputTokens.total)
    expect(second.inputTokens.noCache).toBe((second.inputTokens.total ?? 0) - (first.inputTokens.total ?? 0))
    expect((await usageOf({ prompt: [user('Something else.'), ...grown] }, model)).inputTokens.cacheRead).toBe(0)
    expect((await usageOf({ prompt: grown }, model)).inputTokens.cacheRead).toBe(second.inputTokens.total)
    expect((await usageOf({ prompt: DOG })).inputTokens.cacheRead).toBeUndefined()
  })
})

describe('the window', () => {
  it('OPEN-15 is refused in the words of a provider when it is too small', async () => {
    const { inputTokens } = (await createOfflineModel().doGenerate({ prompt: LONG })).usage
    const actual = inputTokens.total ?? 0
    await expect(createOfflineModel({ windowTokens: actual }).doStream({ prompt: LONG })).resolves.toBeDefined()
    const refused = createOfflineModel({ windowTokens: actual - 1 }).doStream({ prompt: LONG })
    const error: unknown = await Promise.resolve(refused).catch((reason: unknown) => reason)
    if (!APICallError.isInstance(error)) throw new Error('it was not refused')
    const { statusCode = null, message, responseBody } = error
    const classify = createErrorClassifier({})
    expect(classify({ status: statusCode, message, body: responseBody, isFromProvider: true })).toMatchObject({
      kind: 'input-overflow',
      status: 400,
      isRetryable: false,
      tokens: { actual, limit: actual - 1 },
    })
  })
})

describe('speed and abort', () => {
  it('waits as long as its speed says', async () => {
    const slept: number[] = []
    const sleep = (ms: number): Promise<void> => {
      slept.push(ms)
      return Promise.resolve()
    }
    const { text } = await askOffline({ prompt: DOG }, createOfflineModel({ charsPerSecond: 100, sleep }))
    const total = slept.reduce((sum, ms) => sum + ms, 0)
    expect(Math.round(total)).toBe(text.length * 10)
    expect(slept.length).toBeGreaterThan(5)
  })

  it('ends at once when it is aborted, even in a sleep that never ends', async () => {
    const abort = new AbortController()
    const model = createOfflineModel({
      charsPerSecond: 1,
      sleep: () => {
        abort.abort(new Error('enough'))
        return new Promise(() => {})
      },
    })
    const { stream } = await model.doStream({ prompt: DOG, abortSignal: abort.signal })
    await expect(Array.fromAsync(stream)).rejects.toThrow('enough')
    await expect(model.doStream({ prompt: DOG, abortSignal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
      'before',
    )
  })

  it('sleeps for real, and wakes up for an abort', async () => {
    const abort = new AbortController()
    const model = createOfflineModel({ charsPerSecond: 1 })
    const { stream } = await model.doStream({ prompt: DOG, abortSignal: abort.signal })
    const reader = stream.getReader()
    for (const type of ['stream-start', 'response-metadata', 'text-start'])
      expect((await reader.read()).value).toMatchObject({ type })
    const next = reader.read()
    abort.abort()
    await expect(next).rejects.toThrow('abort')
  })

  it('stops between pieces where nobody waits', async () => {
    const abort = new AbortController()
    const { stream } = await createOfflineModel().doStream({ prompt: LONG, abortSignal: abort.signal })
    const reader = stream.getReader()
    for (let part = 0; part < 5; part += 1) await reader.read()
    abort.abort(new Error('enough'))
    await expect(reader.read()).rejects.toThrow('enough')
  })

  it('may be left early', async () => {
    const { stream } = await createOfflineModel().doStream({ prompt: LONG })
    const reader = stream.getReader()
    await reader.read()
    await expect(reader.cancel()).resolves.toBeUndefined()
  })
})
