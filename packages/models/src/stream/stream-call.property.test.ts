import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ModelEvent } from '../port/model-event.ts'
import { createScriptedModel } from '../scripted/create-scripted-model.ts'
import { createConnectionError, createHttpError } from '../scripted/scripted-errors.ts'
import type { ScriptedAnswer, ScriptedBreak, ScriptedReply } from '../scripted/scripted-reply.ts'
import { readStream } from './testing/run-stream.ts'
import type { Seen } from './testing/run-stream.ts'
import { createVirtualClock } from './testing/virtual-clock.ts'

const words = fc.string({ maxLength: 5 })
/** One block of a kind at a time, as vendors stream them: so their order is the order of the pieces. */
const ids = fc.constant('0')
const metadata = fc.option(fc.constant({ scripted: { signature: 's' } }), { nil: undefined })
const finishes = fc.constantFrom<LanguageModelV4FinishReason['unified']>(
  'stop',
  'length',
  'tool-calls',
  'content-filter',
  'other',
  'error',
)
const errors = fc.constantFrom<unknown>(
  createHttpError({ status: 400, message: 'prompt is too long: 2 tokens > 1 maximum' }),
  createHttpError({ status: 429, message: 'Slow down', headers: { 'retry-after': '3' } }),
  createHttpError({ status: 500, message: 'Internal error' }),
  createConnectionError(),
  new TypeError('x is not a function'),
  new AggregateError([Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })]),
  { type: 'overloaded_error', message: 'Overloaded' },
  'an error of words alone',
  undefined,
  null,
  7,
)

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

const piece: fc.Arbitrary<LanguageModelV4StreamPart> = fc.oneof(
  fc.record({ type: fc.constantFrom('text-start', 'reasoning-start'), id: ids }),
  fc.record({ type: fc.constantFrom('text-delta', 'reasoning-delta'), id: ids, delta: words }),
  fc.record({ type: fc.constantFrom('text-end', 'reasoning-end'), id: ids }),
  metadata.map((providerMetadata) => ({
    type: 'reasoning-delta' as const,
    id: '0',
    delta: '',
    ...(providerMetadata === undefined ? {} : { providerMetadata }),
  })),
  fc.record({
    type: fc.constant('tool-call' as const),
    toolCallId: words,
    toolName: words,
    input: fc.oneof(words, fc.json()),
    providerExecuted: fc.boolean(),
  }),
  fc.constant({ type: 'raw' as const, rawValue: {} }),
  fc.constant({ type: 'response-metadata' as const }),
  fc.constant({ type: 'custom' as const, kind: 'anthropic.message_start' as const }),
  fc.constant({ type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: 'iVBORw0KGgo=' } }),
  errors.map((error) => ({ type: 'error' as const, error })),
  finishes.map((unified) => ({ type: 'finish' as const, usage, finishReason: { unified, raw: undefined } })),
)

const breaks: fc.Arbitrary<ScriptedBreak> = fc.record({
  afterPieces: fc.nat(4),
  how: fc.oneof(
    fc.constantFrom('end' as const, 'hang' as const),
    errors.map((error) => ({ error })),
    errors.map((error) => ({ throws: error })),
  ),
})

const answers: fc.Arbitrary<ScriptedAnswer> = fc.record(
  {
    reasoning: fc.array(words, { maxLength: 3 }),
    text: fc.array(words, { maxLength: 3 }),
    toolCalls: fc.array(fc.record({ name: words, input: words }), { maxLength: 2 }),
    finish: finishes,
    delays: fc.record({ firstByteMs: fc.nat(20_000), pieceMs: fc.nat(6_000) }),
    breaksOff: breaks,
  },
  { requiredKeys: [] },
)

const replies: fc.Arbitrary<ScriptedReply> = fc.oneof(
  { weight: 3, arbitrary: answers },
  { weight: 3, arbitrary: fc.array(piece, { maxLength: 12 }) },
  { weight: 2, arbitrary: errors.map((error) => ({ fails: error })) },
  { weight: 1, arbitrary: fc.constant({ hangs: true as const }) },
)

it('whatever comes, a call ends once, tells what it stores, and leaves nothing behind', async () => {
  const endings = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(replies, { minLength: 1, maxLength: 5 }),
      fc.option(fc.nat(40_000), { nil: null }),
      fc.nat(3),
      async (script, abortAfterMs, maxRetries) => {
        const clock = createVirtualClock()
        const controller = new AbortController()
        const timer = abortAfterMs === null ? null : clock.setTimer(abortAfterMs, () => controller.abort())
        const model = createScriptedModel((_, index) => script[index] ?? 'Hello.', { sleep: clock.sleep })
        const seen = await readStream(model, {
          clock: { ...clock, pending: () => Math.max(0, clock.pending() - (timer === null ? 0 : 1)) },
          signal: controller.signal,
          call: { maxRetries, timeouts: { firstByteMs: 15_000, idleMs: 5_000, totalMs: 60_000 } },
        })
        timer?.()
        expectPartsAreDeltas(seen)
        expectRetriesComeFirst(seen, maxRetries)
        endings.add(seen.last.type === 'failure' ? seen.last.failure.kind : seen.last.finish)
      },
    ),
    { numRuns: 500 },
  )
  expect([...endings]).toEqual(
    expect.arrayContaining([
      'stop',
      'tool-calls',
      'aborted',
      'interrupted',
      'timeout',
      'input-overflow',
      'refused',
      'empty',
    ]),
  )
})

function expectPartsAreDeltas({ events, last }: Seen): void {
  for (const type of ['text', 'reasoning'] as const) {
    const told = events.flatMap((event) => (event.type === `${type}-delta` ? [textIn(event)] : []))
    const stored = last.parts.flatMap((part) => (part.type === type ? [part.text] : []))
    expect(stored.join('')).toBe(told.join(''))
  }
  const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
  expect(last.parts.filter(({ type }) => type === 'tool-call')).toEqual(calls)
  if (last.type === 'failure') expect(last.failure.message).toMatch(/^\S.{0,499}$/)
}

/** Once something of an answer was told, another attempt would tell it twice. */
function expectRetriesComeFirst({ events }: Seen, maxRetries: number): void {
  const retries = events.filter(({ type }) => type === 'retry')
  expect(retries.length).toBeLessThanOrEqual(maxRetries)
  expect(events.slice(0, retries.length)).toEqual(retries)
}

function textIn(event: ModelEvent): string {
  return 'text' in event ? event.text : ''
}
