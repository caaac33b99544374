import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { generateText, jsonSchema, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { createScriptedModel } from './create-scripted-model.ts'
import { createHttpError } from './scripted-errors.ts'

function request(...words: readonly string[]): LanguageModelV4CallOptions {
  return { prompt: words.map((text) => ({ role: 'user', content: [{ type: 'text', text }] })) }
}

async function read(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<readonly LanguageModelV4StreamPart[]> {
  return Array.fromAsync(stream)
}

describe('a scripted model', () => {
  it('answers in order and remembers what it was asked', async () => {
    const model = createScriptedModel(['One two.', { text: ['Th', 'ree.'] }])
    const [first, second] = [await model.doStream(request('a')), await model.doStream(request('b'))]
    const deltas = async (stream: ReadableStream<LanguageModelV4StreamPart>) =>
      (await read(stream)).flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
    expect(await deltas(first.stream)).toEqual(['One ', 'two.'])
    expect(await deltas(second.stream)).toEqual(['Th', 'ree.'])
    expect(model.calls).toEqual([request('a'), request('b')])
  })

  it('says clearly when the script has run out', async () => {
    const model = createScriptedModel([])
    await expect(model.doStream(request('a'))).rejects.toThrow('The script has 0 replies and was asked for one more')
  })

  it('can make its reply of the request', async () => {
    const model = createScriptedModel(({ prompt }, index) => `${index}: ${JSON.stringify(prompt[0]?.content)}`)
    const { text } = await generateText({ model, prompt: 'hello' })
    expect(text).toContain('0: ')
    expect(text).toContain('hello')
  })

  it('works with generateText and streamText, tools included', async () => {
    const script = [
      { reasoning: 'Hm.', toolCalls: [{ name: 'add', input: { a: 1 } }] },
      { text: 'Two.', usage: { input: 7, output: 2 } },
    ]
    const add = tool({ inputSchema: jsonSchema<{ a: number }>({ type: 'object' }), execute: ({ a }) => a + 1 })
    const result = await generateText({
      model: createScriptedModel(script),
      prompt: '1+1?',
      tools: { add },
      stopWhen: [],
    })
    expect(result.toolResults).toMatchObject([{ input: { a: 1 }, output: 2 }])
    const streamed = streamText({ model: createScriptedModel(script.slice(1)), prompt: '1+1?' })
    expect(await streamed.text).toBe('Two.')
    expect(await streamed.usage).toMatchObject({ inputTokens: 7, outputTokens: 2 })
  })

  it('fails in every way: refused, in the stream, thrown, too early, never', async () => {
    const error = createHttpError({ status: 500, message: 'Internal error' })
    const broken = (how: 'end' | { error: unknown } | { throws: unknown }) => ({
      text: ['a', 'b'],
      breaksOff: { afterPieces: 1, how },
    })
    const model = createScriptedModel([
      { fails: error },
      broken({ error }),
      broken({ throws: error }),
      broken('end'),
      { hangs: true },
    ])
    await expect(model.doStream(request('a'))).rejects.toBe(error)
    expect((await read((await model.doStream(request('a'))).stream)).at(-1)).toEqual({ type: 'error', error })
    await expect(read((await model.doStream(request('a'))).stream)).rejects.toBe(error)
    expect((await read((await model.doStream(request('a'))).stream)).at(-1)).toMatchObject({ delta: 'a' })
    const controller = new AbortController()
    const hanging = Promise.resolve(model.doStream({ ...request('a'), abortSignal: controller.signal }))
    controller.abort(new Error('enough'))
    await expect(hanging).rejects.toThrow('enough')
  })

  it('takes its time as it is told, and stops when it is told', async () => {
    const slept: number[] = []
    const answer = { text: ['a', 'b'], delays: { firstByteMs: 500, pieceMs: 20 } }
    const model = createScriptedModel([answer, answer], { sleep: async (ms) => void slept.push(ms) })
    await read((await model.doStream(request('a'))).stream)
    expect(slept).toEqual([500, 20, 20])
    const real = createScriptedModel([{ text: 'a', delays: { firstByteMs: 60_000 } }])
    const controller = new AbortController()
    const reading = read((await real.doStream({ ...request('a'), abortSignal: controller.signal })).stream)
    controller.abort()
    await expect(reading).rejects.toThrow('The operation was aborted')
  })

  it('counts what it is not told', async () => {
    const model = createScriptedModel(
      ['four', { reasoning: 'ab', text: 'abc', usage: { input: 1 } }, { text: 'x', usage: null }],
      {
        countTokens: (text) => text.length,
      },
    )
    const usageOf = async () => (await model.doGenerate(request('hello'))).usage
    const size = JSON.stringify(request('hello').prompt[0]).length
    expect(await usageOf()).toMatchObject({
      inputTokens: { total: size },
      outputTokens: { total: 4, reasoning: undefined },
    })
    expect(await usageOf()).toMatchObject({
      inputTokens: { total: 1 },
      outputTokens: { total: 5, text: 3, reasoning: 2 },
    })
    expect(await usageOf()).toMatchObject({ inputTokens: { total: undefined }, outputTokens: { total: undefined } })
  })

  it('reports as cached what the request before began with', async () => {
    const model = createScriptedModel(() => 'ok', { simulatesCache: true, countTokens: () => 10 })
    const usages = []
    for (const words of [['a'], ['a', 'b'], ['x', 'b'], ['x', 'b', 'c']]) {
      const { cacheRead, cacheWrite } = (await model.doGenerate(request(...words))).usage.inputTokens
      usages.push([cacheRead, cacheWrite])
    }
    expect(usages).toEqual([
      [0, 10],
      [10, 10],
      [0, 20],
      [20, 10],
    ])
  })

  it('refuses a prompt beyond its window, in a vendor’s words', async () => {
    const options = { windowTokens: 20, countTokens: () => 15 }
    const model = createScriptedModel(['ok', 'never'], options)
    expect((await model.doGenerate(request('a'))).finishReason.unified).toBe('stop')
    await expect(model.doStream(request('a', 'b'))).rejects.toMatchObject({
      statusCode: 400,
      message: 'prompt is too long: 30 tokens > 20 maximum',
    })
    const gemini = createScriptedModel(['never'], { ...options, overflowVendor: 'google' })
    await expect(gemini.doGenerate(request('a', 'b'))).rejects.toThrow('The input token count (30) exceeds')
  })
})
