import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { createScriptedModel } from '../scripted/create-scripted-model.ts'
import { createConnectionError, createHttpError, createOverflowError } from '../scripted/scripted-errors.ts'
import type { ModelEvent } from '../port/model-event.ts'
import { openStream, readStream, text } from './testing/run-stream.ts'
import type { Seen, Terminal } from './testing/run-stream.ts'
import { createVirtualClock } from './testing/virtual-clock.ts'

function failureOf({ last }: Seen) {
  if (last.type !== 'failure') throw new Error(`ended in ${last.type}`)
  return last.failure
}

function typesOf({ events }: Seen): string {
  return events.map(({ type }) => type).join(' ')
}

const NOTHING = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
const overloaded = createHttpError({ status: 529, message: 'Overloaded', code: 'overloaded_error' })

describe('an answer', () => {
  it('arrives in pieces and ends with its parts, usage, cost and timing', async () => {
    const clock = createVirtualClock()
    const script = [
      {
        reasoning: ['Let me ', 'think.'],
        text: ['Hel', 'lo.'],
        usage: { input: 100, output: 20, cacheRead: 80, cacheWrite: 10, reasoning: 5 },
        delays: { firstByteMs: 2_000, pieceMs: 10 },
      },
    ]
    const model = createScriptedModel(script, { sleep: clock.sleep })
    const { events, last } = await readStream(model, { clock, priceOf: (usage) => usage.input / 1_000 })
    expect(events.slice(0, -1)).toEqual([
      { type: 'reasoning-delta', text: 'Let me ' },
      { type: 'reasoning-delta', text: 'think.' },
      { type: 'text-delta', text: 'Hel' },
      { type: 'text-delta', text: 'lo.' },
    ])
    expect(last).toEqual({
      type: 'finish',
      finish: 'stop',
      parts: [{ type: 'reasoning', text: 'Let me think.', providerOptions: { scripted: {} } }, text('Hello.')],
      usage: { input: 100, output: 20, cacheRead: 80, cacheWrite: 10, reasoning: 5, costUsd: 0.1 },
      timing: { firstByteMs: 2_000, totalMs: 2_040 },
    })
  })

  it('brings tool calls once their arguments are complete', async () => {
    const toolCalls = [
      { id: 'a', name: 'read', input: { path: 'x' } },
      { id: 'b', name: 'read', input: '{"path": "y' },
      { id: 'c', name: 'list', input: '' },
      { id: 'd', name: 'list', input: '[1]' },
    ]
    const { last, events } = await readStream(createScriptedModel([{ text: 'I look.', toolCalls }]))
    const calls = [
      { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'x' } },
      { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: { _raw: '{"path": "y' } },
      { type: 'tool-call', toolCallId: 'c', toolName: 'list', input: {} },
      { type: 'tool-call', toolCallId: 'd', toolName: 'list', input: { _raw: '[1]' } },
    ]
    expect(events.filter(({ type }) => type === 'tool-call')).toEqual(
      calls.map((call) => ({ type: 'tool-call', call })),
    )
    expect(last).toMatchObject({ finish: 'tool-calls', parts: [text('I look.'), ...calls] })
  })

  it.each([
    ['stop', [], 'stop'],
    ['length', [], 'length'],
    ['other', [], 'other'],
    ['tool-calls', [], 'stop'],
    ['stop', [{ name: 'read', input: {} }], 'tool-calls'],
    ['length', [{ name: 'read', input: {} }], 'tool-calls'],
  ] as const)('that ends with %s and calls %j finishes with %s', async (finish, toolCalls, expected) => {
    const { last } = await readStream(createScriptedModel([{ text: 'Hm.', finish, toolCalls }]))
    expect(last).toMatchObject({ type: 'finish', finish: expected })
  })

  it('without usage has none, and neither has one that reports zeros', async () => {
    const none = await readStream(createScriptedModel([{ text: 'Hm.', usage: null }]))
    const zeros = await readStream(createScriptedModel([{ text: 'Hm.', usage: { input: 0, output: 0 } }]))
    expect([none.last.usage, zeros.last.usage]).toEqual([null, null])
  })

  it('that the provider stopped is refused, with what there is of it', async () => {
    const seen = await readStream(createScriptedModel([{ text: 'I will', finish: 'content-filter' }]))
    expect(failureOf(seen)).toMatchObject({ kind: 'refused', isRetryable: false })
    expect(seen.last.parts).toEqual([text('I will')])
  })

  it('of nothing, or of reasoning alone, is empty', async () => {
    const nothing = await readStream(createScriptedModel([{}]))
    const thoughts = await readStream(createScriptedModel([{ reasoning: 'Hm.' }]))
    expect([failureOf(nothing).kind, failureOf(thoughts).kind]).toEqual(['empty', 'empty'])
    expect(thoughts.last.parts).toMatchObject([{ type: 'reasoning', text: 'Hm.' }])
  })

  it('that was cut at its limit while thinking is not empty', async () => {
    const { last } = await readStream(createScriptedModel([{ reasoning: 'Hm.', finish: 'length' }]))
    expect(last).toMatchObject({ type: 'finish', finish: 'length' })
  })

  it('is complete once it has finished, however its connection ends', async () => {
    const finish: LanguageModelV4StreamPart = {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: NOTHING, outputTokens: { total: 1, text: 1, reasoning: undefined } },
    }
    for (const after of ['throws', 'hangs'] as const) {
      const stream = ReadableStream.from(
        (async function* () {
          yield { type: 'text-delta' as const, id: '0', delta: 'Hello.' }
          yield finish
          if (after === 'throws') throw new Error('reset')
          await new Promise(() => {})
        })(),
      )
      const model: LanguageModelV4 = { ...createScriptedModel([]), doStream: () => Promise.resolve({ stream }) }
      const clock = createVirtualClock()
      const { last } = await readStream(model, { clock })
      expect(last).toMatchObject({ type: 'finish', parts: [text('Hello.')] })
      expect(clock.now()).toBeLessThanOrEqual(100)
    }
  })

  it('OPEN-15 cut short by more tokens than the window holds is an overflow that nobody reported', async () => {
    const model = createScriptedModel([{ text: 'Su', usage: { input: 5_000, output: 2 }, finish: 'length' }])
    const seen = await readStream(model, { call: { windowTokens: 4_096 } })
    expect(failureOf(seen)).toMatchObject({ kind: 'input-overflow', tokens: { actual: 5_000 } })
  })

  it('that is whole is kept, whatever its bill says', async () => {
    const model = createScriptedModel([{ text: 'Sure.', usage: { input: 5_000, output: 2 } }])
    const { last } = await readStream(model, { call: { windowTokens: 4_096 } })
    expect(last).toMatchObject({ type: 'finish', parts: [text('Sure.')] })
  })
})

describe('errors before the answer', () => {
  it('that waiting cures are retried, and told', async () => {
    const model = createScriptedModel([{ fails: overloaded }, { fails: createConnectionError() }, 'Hello.'])
    const clock = createVirtualClock()
    const seen = await readStream(model, { clock, random: () => 0.5 })
    expect(seen.events.slice(0, 2)).toEqual([
      { type: 'retry', attempt: 1, delayMs: 500, reason: 'Overloaded' },
      { type: 'retry', attempt: 2, delayMs: 1_000, reason: 'The connection failed: ECONNRESET' },
    ])
    expect(seen.last).toMatchObject({ type: 'finish', parts: [text('Hello.')] })
    expect(clock.now()).toBe(1_500)
  })

  it('told in the stream are retried like those told by a status', async () => {
    const first = { breaksOff: { afterPieces: 0, how: { error: { type: 'overloaded_error', message: 'Overloaded' } } } }
    const seen = await readStream(createScriptedModel([first, 'Hello.']))
    expect(typesOf(seen)).toBe('retry text-delta finish')
  })

  it('thrown while reading are retried', async () => {
    const broken = new TypeError('terminated', {
      cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
    })
    const seen = await readStream(
      createScriptedModel([{ breaksOff: { afterPieces: 0, how: { throws: broken } } }, 'Hello.']),
    )
    expect(seen.events[0]).toMatchObject({ reason: 'The connection failed: other side closed (UND_ERR_SOCKET)' })
    expect(seen.last.type).toBe('finish')
  })

  it('end the call after so many retries', async () => {
    const model = createScriptedModel(() => ({ fails: overloaded }))
    expect(typesOf(await readStream(model))).toBe('retry retry retry failure')
    expect(typesOf(await readStream(model, { call: { maxRetries: 1 } }))).toBe('retry failure')
    const seen = await readStream(model, { call: { maxRetries: 0 } })
    expect(typesOf(seen)).toBe('failure')
    expect(failureOf(seen)).toMatchObject({ kind: 'unavailable', status: 529, isRetryable: true })
  })

  it.each([
    ['input-overflow', createOverflowError('anthropic', { inputTokens: 213_462, windowTokens: 200_000 })],
    ['auth', createHttpError({ status: 401, message: 'invalid x-api-key' })],
    ['invalid-request', createHttpError({ status: 400, message: 'tools.0.name: Field required' })],
    ['invalid-request', new TypeError('x is not a function')],
  ])('that no waiting cures are not retried: %s', async (kind, error) => {
    const model = createScriptedModel([{ fails: error }, 'Hello.'])
    const seen = await readStream(model)
    expect(typesOf(seen)).toBe('failure')
    expect(failureOf(seen)).toMatchObject({ kind, isRetryable: false })
    expect(model.calls).toHaveLength(1)
  })

  it('wait as long as the endpoint asks', async () => {
    const limited = createHttpError({ status: 429, message: 'Slow down', headers: { 'retry-after': '20' } })
    const clock = createVirtualClock()
    const seen = await readStream(createScriptedModel([{ fails: limited }, 'Hello.']), { clock })
    expect(seen.events[0]).toEqual({ type: 'retry', attempt: 1, delayMs: 20_000, reason: 'Slow down' })
    expect(clock.now()).toBe(20_000)
  })

  it('fail at once where it asks for too long', async () => {
    const limited = createHttpError({ status: 429, message: 'Slow down', headers: { 'retry-after': '90' } })
    const seen = await readStream(createScriptedModel([{ fails: limited }, 'Hello.']))
    expect(failureOf(seen)).toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 90_000,
      message: 'It asks to wait 90 s before the next try: Slow down',
    })
  })

  it('fail at once where the call has no time left to wait', async () => {
    const model = createScriptedModel([{ fails: overloaded }, 'Hello.'])
    const seen = await readStream(model, { call: { timeouts: { totalMs: 400 } } })
    expect(failureOf(seen).kind).toBe('unavailable')
  })

  it('in making the request are failures too', async () => {
    const seen = await readStream(createScriptedModel(['Hello.']), {
      prepare: () => {
        throw new Error('no such option')
      },
    })
    expect(failureOf(seen)).toMatchObject({ kind: 'invalid-request', message: 'no such option' })
  })
})

describe('a response that just ends', () => {
  it('before the answer is tried again', async () => {
    const silent: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings: [] }]
    const seen = await readStream(createScriptedModel([silent, [], 'Hello.']))
    expect(typesOf(seen)).toBe('retry retry text-delta finish')
  })

  it('before the answer, to a prompt that fills the window, is an overflow', async () => {
    const seen = await readStream(createScriptedModel([[]]), {
      call: { windowTokens: 4_096, expectedInputTokens: 4_090 },
    })
    expect(failureOf(seen).kind).toBe('input-overflow')
  })

  it('in the middle is interrupted', async () => {
    const model = createScriptedModel([{ text: ['Hel', 'lo.'], breaksOff: { afterPieces: 1, how: 'end' } }, 'Hello.'])
    const seen = await readStream(model)
    expect(failureOf(seen)).toMatchObject({ kind: 'interrupted', isRetryable: true })
    expect(seen.last.parts).toEqual([text('Hel')])
    expect(model.calls).toHaveLength(1)
  })

  it('is told by the SDK as a finish without a reason', async () => {
    const pieces: LanguageModelV4StreamPart[] = [
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Hel' },
      {
        type: 'finish',
        finishReason: { unified: 'other', raw: undefined },
        usage: { inputTokens: NOTHING, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
      },
    ]
    expect(failureOf(await readStream(createScriptedModel([pieces]))).kind).toBe('interrupted')
  })
})

describe('errors in the middle', () => {
  it.each([
    ['told', { error: { type: 'overloaded_error', message: 'Overloaded' } }],
    ['thrown', { throws: createConnectionError() }],
    ['a bug', { throws: new TypeError('x is not a function') }],
  ])('are never retried: %s', async (_, how) => {
    const model = createScriptedModel([{ text: ['Hel', 'lo.'], breaksOff: { afterPieces: 1, how } }, 'Hello.'])
    const seen = await readStream(model)
    expect(typesOf(seen)).toBe('text-delta failure')
    expect(failureOf(seen).kind).toBe('interrupted')
    expect(failureOf(seen).message).toMatch(/^The answer broke off: /)
    expect(seen.last.parts).toEqual([text('Hel')])
  })

  it('OPEN-15 that say overflow stay an overflow', async () => {
    const error = { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' }
    const model = createScriptedModel([{ text: ['Hel', 'lo.'], breaksOff: { afterPieces: 1, how: { error } } }])
    expect(failureOf(await readStream(model)).kind).toBe('input-overflow')
  })

  it('leave reasoning that can be read and is sent to nobody', async () => {
    const answer = { reasoning: ['Let me', ' think.'], reasoningMetadata: { scripted: { signature: 's' } } }
    const seen = await readStream(createScriptedModel([{ ...answer, breaksOff: { afterPieces: 1, how: 'end' } }]))
    expect(seen.last.parts).toEqual([{ type: 'reasoning', text: 'Let me' }])
  })
})

describe('time-outs', () => {
  const timeouts = { firstByteMs: 10_000, idleMs: 3_000, totalMs: 60_000 }

  it('a call that nobody answers is tried again', async () => {
    const clock = createVirtualClock()
    const seen = await readStream(createScriptedModel([{ hangs: true }, 'Hello.']), { clock, call: { timeouts } })
    expect(seen.events[0]).toMatchObject({ type: 'retry', reason: 'No answer began: nothing came for 10 s.' })
    expect(seen.last.type).toBe('finish')
    expect(clock.now()).toBe(10_500)
  })

  it('a stream that opens and stays silent has no more time than one that does not open', async () => {
    const clock = createVirtualClock()
    const model = createScriptedModel([{ text: 'Late.', delays: { firstByteMs: 11_000 } }], { sleep: clock.sleep })
    const seen = await readStream(model, { clock, call: { timeouts, maxRetries: 0 } })
    expect(failureOf(seen)).toMatchObject({ kind: 'timeout', isRetryable: true })
    expect(clock.now()).toBe(10_000)
  })

  it('silence in the middle is an interruption', async () => {
    const clock = createVirtualClock()
    const model = createScriptedModel([{ text: ['Hel', 'lo.'], breaksOff: { afterPieces: 1, how: 'hang' } }])
    const seen = await readStream(model, { clock, call: { timeouts } })
    expect(failureOf(seen)).toMatchObject({
      kind: 'interrupted',
      message: 'The answer broke off: nothing came for 3 s.',
    })
    expect(clock.now()).toBe(3_000)
  })

  it('a model that thinks may be silent as long as before it begins', async () => {
    const clock = createVirtualClock()
    const model = createScriptedModel([{ reasoning: ['Hm, ', 'hm.'], text: ['Yes.'], delays: { pieceMs: 9_000 } }], {
      sleep: clock.sleep,
    })
    // The text comes 9 s after the last thought, and there it is too late.
    const seen = await readStream(model, { clock, call: { timeouts } })
    expect(seen.last.parts).toMatchObject([{ type: 'reasoning', text: 'Hm, hm.' }])
    expect(failureOf(seen).message).toBe('The answer broke off: nothing came for 3 s.')
    expect(clock.now()).toBe(21_000)
  })

  it('a stream that goes on sending, if only pings, is not cut', async () => {
    const clock = createVirtualClock()
    const model: LanguageModelV4 = {
      ...createScriptedModel([]),
      doStream: () => Promise.resolve({ stream: ReadableStream.from(pingThenAnswer(clock.sleep)) }),
    }
    const { last } = await readStream(model, { clock, call: { timeouts } })
    expect(last).toMatchObject({ type: 'finish', timing: { firstByteMs: 45_000, totalMs: 45_000 } })
  })

  it('no call lasts longer than its whole time', async () => {
    const clock = createVirtualClock()
    const answer = { text: Array.from({ length: 100 }, () => 'word '), delays: { pieceMs: 1_000 } }
    const seen = await readStream(createScriptedModel([answer], { sleep: clock.sleep }), { clock, call: { timeouts } })
    expect(failureOf(seen)).toMatchObject({ kind: 'timeout', isRetryable: false })
    expect(seen.last.parts).toEqual([text('word '.repeat(59))])
    expect(clock.now()).toBe(60_000)
  })

  it('a caller that is slow with what it got is not taken for silence', async () => {
    const clock = createVirtualClock()
    const events: ModelEvent[] = []
    for await (const event of openStream(createScriptedModel([{ text: ['Hel', 'lo.'] }]), {
      clock,
      call: { timeouts },
    })) {
      events.push(event)
      await clock.sleep(20_000, undefined)
    }
    expect(events.at(-1)?.type).toBe('finish')
  })
})

async function* pingThenAnswer(
  sleep: (ms: number, signal: undefined) => Promise<void>,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (let pings = 0; pings < 5; pings += 1) {
    await sleep(9_000, undefined)
    yield { type: 'raw', rawValue: { type: 'ping' } }
  }
  yield { type: 'text-start', id: '0' }
  yield { type: 'text-delta', id: '0', delta: 'Hello.' }
  yield {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'end_turn' },
    usage: { inputTokens: NOTHING, outputTokens: { total: undefined, text: undefined, reasoning: undefined } },
  }
}

describe('cancelling', () => {
  it('before the start sends nothing', async () => {
    const model = createScriptedModel(['Hello.'])
    const seen = await readStream(model, { signal: AbortSignal.abort() })
    expect(failureOf(seen)).toMatchObject({ kind: 'aborted', isRetryable: false })
    expect(model.calls).toHaveLength(0)
  })

  it.each([
    ['before an answer', { hangs: true } as const, []],
    ['in the middle', { text: ['Hel', 'lo.'], breaksOff: { afterPieces: 1, how: 'hang' } } as const, [text('Hel')]],
    ['while it waits to try again', { fails: overloaded }, []],
  ])('%s ends the call at once, with what there is', async (_, reply, parts) => {
    const clock = createVirtualClock()
    const controller = new AbortController()
    clock.setTimer(100, () => controller.abort())
    const model = createScriptedModel([reply, 'Hello.'])
    const seen = await readStream(model, { clock, signal: controller.signal })
    expect(failureOf(seen).kind).toBe('aborted')
    expect(seen.last.parts).toEqual(parts)
    expect(clock.now()).toBe(100)
    expect(model.calls).toHaveLength(1)
    expect(model.calls[0]?.abortSignal?.aborted).toBe(true)
  })

  it('works on a model that does not listen', async () => {
    const clock = createVirtualClock()
    const controller = new AbortController()
    clock.setTimer(100, () => controller.abort())
    const deaf: LanguageModelV4 = { ...createScriptedModel([]), doStream: () => new Promise(() => {}) }
    expect(failureOf(await readStream(deaf, { clock, signal: controller.signal })).kind).toBe('aborted')
  })

  it('leaving the loop aborts the request', async () => {
    const clock = createVirtualClock()
    const model = createScriptedModel([{ text: ['Hel', 'lo.'], breaksOff: { afterPieces: 2, how: 'hang' } }])
    for await (const event of openStream(model, { clock })) if (event.type === 'text-delta') break
    expect(model.calls[0]?.abortSignal?.aborted).toBe(true)
    expect(clock.pending()).toBe(0)
  })

  it('leaving while an event is awaited aborts the request too', async () => {
    const called = Promise.withResolvers<void>()
    const model = createScriptedModel(() => {
      called.resolve()
      return { hangs: true }
    })
    const clock = createVirtualClock()
    const events = openStream(model, { clock, call: { timeouts: { firstByteMs: Infinity, totalMs: Infinity } } })
    const iterator = events[Symbol.asyncIterator]()
    const pending = iterator.next()
    await called.promise
    await iterator.return?.()
    expect((await pending).value).toMatchObject({ type: 'failure', failure: { kind: 'aborted' } })
    expect(model.calls[0]?.abortSignal?.aborted).toBe(true)
    expect(clock.pending()).toBe(0)
  })

  it('who stops asking at the last event leaves nothing behind', async () => {
    const clock = createVirtualClock()
    const iterator = openStream(createScriptedModel(['Hello.']), { clock })[Symbol.asyncIterator]()
    await iterator.next()
    expect((await iterator.next()).value).toMatchObject({ type: 'finish' })
    expect(clock.pending()).toBe(0)
  })

  it('a call that nobody reads is not made', () => {
    const model = createScriptedModel(['Hello.'])
    openStream(model)
    expect(model.calls).toHaveLength(0)
  })

  it('has a bill where the provider told early what the prompt costs', async () => {
    const usage = {
      input_tokens: 100,
      cache_read_input_tokens: 2_000,
      cache_creation_input_tokens: 0,
      output_tokens: 3,
    }
    const pieces: LanguageModelV4StreamPart[] = [
      { type: 'custom', kind: 'anthropic.message_start', providerMetadata: { anthropic: { id: 'm', usage } } },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'Hel' },
    ]
    const seen = await readStream(createScriptedModel([pieces]), { priceOf: () => 0.25 })
    expect(seen.last.usage).toEqual({ input: 2_100, output: 3, cacheRead: 2_000, cacheWrite: 0, costUsd: 0.25 })
    expect(seen.last.parts).toEqual([text('Hel')])
  })
})

describe('messages', () => {
  const long = `Bearer sk-ant-${'x'.repeat(600)}\n\n  at line 2`

  it('are one line, not too long, and without secrets', async () => {
    const model = createScriptedModel([{ fails: createHttpError({ status: 400, message: `bad: ${long}` }) }])
    const { message } = failureOf(await readStream(model, { redact: (words) => words.replace(/sk-ant-\w+/, '***') }))
    expect(message).toBe('bad: Bearer *** at line 2')
    const uncut = createScriptedModel([{ fails: createHttpError({ status: 400, message: long }) }])
    const cut: Terminal = (await readStream(uncut)).last
    expect(cut.type === 'failure' && cut.failure.message.length).toBe(500)
  })

  it('of retries are without secrets too', async () => {
    const secret = createHttpError({ status: 500, message: 'for key sk-ant-1' })
    const model = createScriptedModel([{ fails: secret }, 'Hello.'])
    const { events } = await readStream(model, { redact: (words) => words.replace(/sk-ant-\w+/, '***') })
    expect(events[0]).toMatchObject({ reason: 'for key ***' })
  })
})
