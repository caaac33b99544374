import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Usage } from '@longhaul/engine/advanced'
import type { ErrorClassifier } from '../overflow/create-error-classifier.ts'
import { findSilentOverflow } from '../overflow/find-silent-overflow.ts'
import type { ModelCall } from '../port/model-call.ts'
import type { ModelEvent, ModelFinish } from '../port/model-event.ts'
import type { ModelFailure } from '../port/model-failure.ts'
import { createCallGuard } from './call-guard.ts'
import type { CallGuard } from './call-guard.ts'
import type { Clock } from './clock.ts'
import { BROKE_OFF, createFailure, sealFailure } from './failures.ts'
import { DEFAULT_MAX_RETRIES, planRetry } from './plan-retry.ts'
import type { Dialect } from './prompt/dialect.ts'
import { toCallOptions } from './prompt/to-call-options.ts'
import { openStream, openWhole } from './open-answer.ts'
import { readFailure } from './read-failure.ts'
import { runAttempt } from './run-attempt.ts'
import type { AttemptEnd } from './run-attempt.ts'
import { resolveTimeouts } from './timeouts.ts'

export interface StreamCallOptions {
  readonly model: LanguageModelV4
  readonly dialect: Dialect
  readonly call: ModelCall
  readonly signal: AbortSignal
  /** The vendor's own options, last. */
  readonly prepare: (options: LanguageModelV4CallOptions, call: ModelCall) => LanguageModelV4CallOptions
  readonly classify: ErrorClassifier
  readonly priceOf: (usage: Usage) => number | null
  readonly redact: (text: string) => string
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
}

/**
 * One call to a model, as it happens. Never throws; the last event is `finish` or `failure`, and there is only one of
 * them. Nothing is sent before the first event is asked for, and leaving the loop stops everything.
 */
export function streamCall(options: StreamCallOptions): AsyncIterable<ModelEvent> {
  let guard: CallGuard | null = null
  const events = (async function* (): AsyncGenerator<ModelEvent, void> {
    const { signal, clock, call } = options
    guard = createCallGuard({ signal, clock, totalMs: resolveTimeouts(call.timeouts).totalMs })
    let last: ModelEvent
    try {
      last = yield* runCall(options, guard)
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      last = failed({ failure: createFailure('invalid-request', words), parts: [], usage: null }, options)
    } finally {
      // Before the last event: who has it may never ask again.
      guard.close()
    }
    yield last
  })()
  const iterator: AsyncIterator<ModelEvent, void> = {
    next: () => events.next(),
    // By itself a generator would first wait for the event that is under way.
    return: () => {
      guard?.leave()
      return events.return()
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

/** Tells what happens, and returns how it ended. */
async function* runCall(options: StreamCallOptions, guard: CallGuard): AsyncGenerator<ModelEvent, ModelEvent> {
  const { model, dialect, call, clock, classify, redact, random } = options
  const timeouts = resolveTimeouts(call.timeouts)
  const startedAt = clock.now()
  const attempt = {
    open: call.stream === false ? openWhole(model) : openStream(model),
    options: await createRequest(options),
    namespace: dialect.namespaces[0],
    guard,
    timeouts,
    clock,
    readFailure: (error: unknown) => readFailure(error, call, classify),
  }
  for (let retries = 0; ; retries += 1) {
    const end = judge(yield* runAttempt(attempt), options)
    if ('finish' in end) return finished(end, startedAt, options)
    const plan = planRetry({
      failure: end.failure,
      retries,
      maxRetries: end.hasBegun ? 0 : (call.maxRetries ?? DEFAULT_MAX_RETRIES),
      remainingMs: startedAt + timeouts.totalMs - clock.now(),
      random,
    })
    if (plan.action === 'give-up') return failed({ ...end, failure: plan.failure }, options)
    const reason = sealFailure(end.failure, redact).message
    yield { type: 'retry', attempt: retries + 1, delayMs: plan.delayMs, reason }
    // A call cut while it waits is told by the attempt that is not made any more.
    await guard.pause(plan.delayMs)
  }
}

async function createRequest({
  model,
  dialect,
  call,
  prepare,
}: StreamCallOptions): Promise<LanguageModelV4CallOptions> {
  const supportedUrls = await model.supportedUrls
  return prepare(toCallOptions(call, { dialect, supportedUrls }), call)
}

/** Endpoints that cut a prompt without a word, or answer nothing, call it a success. */
function judge(end: AttemptEnd, { call, dialect }: StreamCallOptions): AttemptEnd {
  const { usage, parts, firstPieceAt, hasBegun } = end
  const endedInSilence = 'failure' in end && end.failure === BROKE_OFF
  if ('failure' in end && !endedInSilence) return end
  const failure = findSilentOverflow({
    usage,
    finish: 'finish' in end ? end.finish : 'other',
    outputIsEmpty: parts.every(({ type }) => type === 'reasoning'),
    windowTokens: call.windowTokens,
    expectedInputTokens: call.expectedInputTokens,
    mayCutPrompts: dialect.mayCutPrompts,
  })
  // That nothing came is what `BROKE_OFF` says already, and another attempt may help.
  if (failure === null || (endedInSilence && failure.kind === 'empty')) return end
  return { failure, usage, parts, firstPieceAt, hasBegun }
}

function finished(
  { finish, parts, usage, firstPieceAt }: AttemptEnd & { readonly finish: ModelFinish },
  startedAt: number,
  { priceOf, clock }: StreamCallOptions,
): ModelEvent {
  return {
    type: 'finish',
    finish,
    parts,
    usage: withCost(usage, priceOf),
    timing: {
      firstByteMs: firstPieceAt === null ? null : Math.round(firstPieceAt - startedAt),
      totalMs: Math.round(clock.now() - startedAt),
    },
  }
}

function failed(
  { failure, parts, usage }: Pick<AttemptEnd, 'parts' | 'usage'> & { readonly failure: ModelFailure },
  { priceOf, redact }: StreamCallOptions,
): ModelEvent {
  return { type: 'failure', failure: sealFailure(failure, redact), parts, usage: withCost(usage, priceOf) }
}

function withCost(usage: Usage | null, priceOf: StreamCallOptions['priceOf']): Usage | null {
  if (usage === null) return null
  const costUsd = priceOf(usage)
  return costUsd === null ? usage : { ...usage, costUsd }
}
