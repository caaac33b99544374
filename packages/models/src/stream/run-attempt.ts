import { InvalidResponseDataError } from '@ai-sdk/provider'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Part, Usage } from '@longhaul/engine/advanced'
import type { Timeouts } from '../port/model-call.ts'
import type { ModelEvent, ModelFinish } from '../port/model-event.ts'
import type { ModelFailure } from '../port/model-failure.ts'
import { createAnswer } from './answer/collect-answer.ts'
import type { Answer } from './answer/collect-answer.ts'
import { readEnding } from './answer/read-ending.ts'
import { readEarlyUsage, readUsage } from './answer/read-usage.ts'
import { CUT } from './call-guard.ts'
import type { CallGuard } from './call-guard.ts'
import type { Clock } from './clock.ts'
import { BROKE_OFF, createFailure, describeCut, interruptedBy } from './failures.ts'
import type { OpenAnswer, OpenedAnswer } from './open-answer.ts'

export interface Attempt {
  readonly open: OpenAnswer
  readonly options: LanguageModelV4CallOptions
  readonly namespace: string
  readonly guard: CallGuard
  readonly timeouts: Timeouts
  readonly clock: Clock
  readonly readFailure: (error: unknown) => ModelFailure
}

/** How one request ended, and what there is of its answer. */
export type AttemptEnd = Outcome & {
  readonly parts: readonly Part[]
  readonly usage: Usage | null
  /** On the clock; null: no piece of an answer came. */
  readonly firstPieceAt: number | null
  /** The caller has seen some of it, so another attempt would repeat it. */
  readonly hasBegun: boolean
}

type Outcome = { readonly finish: ModelFinish } | { readonly failure: ModelFailure }

/** Sends one request and tells what comes back, piece by piece; then how it ended. Throws nothing. */
export async function* runAttempt(attempt: Attempt): AsyncGenerator<ModelEvent, AttemptEnd> {
  const { guard, clock, readFailure } = attempt
  const run: Run = {
    ...attempt,
    answer: createAnswer(attempt.namespace),
    progress: { startedAt: clock.now(), isAlive: false, firstPieceAt: null, usage: null, patienceMs: 0 },
  }
  if (guard.cut() !== null) return wasCut(run)
  let reader: Reader | null = null
  try {
    const opening = openAttempt(attempt)
    const opened = await awaitSign(opening, run)
    if (opened === CUT) {
      abandon(opening)
      return wasCut(run)
    }
    reader = opened.stream.getReader()
    for (;;) {
      const read = await awaitSign(reader.read(), run)
      if (read === CUT) return wasCut(run)
      if (read.done) return wentWrong(BROKE_OFF, run)
      note(read.value, run)
      if (read.value.type === 'error') return wentWrong(readStreamError(read.value.error, readFailure), run)
      if (read.value.type === 'finish') {
        const last = finish(read.value, run)
        await guard.wait(drain(reader), CLOSING_MS)
        return last
      }
      const event = run.answer.take(read.value)
      if (event !== null) yield event
    }
  } catch (error) {
    return wentWrong(readFailure(error), run)
  } finally {
    guard.closeAttempt()
    reader?.cancel().catch(() => {})
  }
}

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>

interface Run extends Attempt {
  readonly answer: Answer
  readonly progress: Progress
}

interface Progress {
  readonly startedAt: number
  /** The endpoint has sent something. */
  isAlive: boolean
  firstPieceAt: number | null
  usage: Usage | null
  /** How long it may take until the next sign of life. */
  patienceMs: number
}

/** How long a finished response may take to close, so that its connection can be used again. */
const CLOSING_MS = 100

async function openAttempt({ open, options, guard }: Attempt): Promise<OpenedAnswer> {
  return open({ ...options, abortSignal: guard.openAttempt() })
}

function awaitSign<T>(promise: Promise<T>, run: Run): Promise<T | typeof CUT> {
  run.progress.patienceMs = choosePatience(run)
  return run.guard.wait(promise, run.progress.patienceMs)
}

/** A model may think as long as it may take to begin. */
function choosePatience({ timeouts, clock, answer, progress }: Run): number {
  if (!progress.isAlive) return Math.max(0, progress.startedAt + timeouts.firstByteMs - clock.now())
  return answer.hasBegun() && !answer.isThinking() ? timeouts.idleMs : timeouts.firstByteMs
}

function finish(piece: LanguageModelV4StreamPart & { type: 'finish' }, run: Run): AttemptEnd {
  const hasToolCalls = run.answer.parts().some(({ type }) => type === 'tool-call')
  const ending = readEnding(piece, hasToolCalls)
  if (ending.kind === 'cut-short') return wentWrong(BROKE_OFF, run)
  run.answer.complete()
  if (ending.kind === 'finished') return end({ finish: ending.finish }, run)
  return end({ failure: createFailure('refused', `The provider stopped the answer: ${ending.words}`) }, run)
}

function wasCut(run: Run): AttemptEnd {
  const { guard, timeouts, answer, progress } = run
  const failure = describeCut({
    cut: guard.cut() ?? 'aborted',
    silentMs: progress.patienceMs,
    totalMs: timeouts.totalMs,
    hasBegun: answer.hasBegun(),
  })
  return end({ failure }, run)
}

function wentWrong(failure: ModelFailure, run: Run): AttemptEnd {
  return end({ failure: run.answer.hasBegun() ? interruptedBy(failure) : failure }, run)
}

function end(outcome: Outcome, { answer, progress }: Run): AttemptEnd {
  const { usage, firstPieceAt } = progress
  return { ...outcome, parts: answer.parts(), usage, firstPieceAt, hasBegun: answer.hasBegun() }
}

/** Signs of life that come before or beside the answer. */
const NOT_CONTENT: ReadonlySet<LanguageModelV4StreamPart['type']> = new Set([
  'raw',
  'response-metadata',
  'custom',
  'error',
  'finish',
])

function note(piece: LanguageModelV4StreamPart, { progress, clock }: Run): void {
  // The SDK makes this one up before anything has arrived.
  if (piece.type === 'stream-start') return
  progress.isAlive = true
  if (!NOT_CONTENT.has(piece.type)) progress.firstPieceAt ??= clock.now()
  if (piece.type === 'custom') progress.usage = readEarlyUsage(piece.providerMetadata) ?? progress.usage
  if (piece.type === 'finish') progress.usage = readUsage(piece.usage, piece.providerMetadata) ?? progress.usage
}

/** The SDK complains of data where a response just ends too early. */
function readStreamError(error: unknown, readFailure: Attempt['readFailure']): ModelFailure {
  return InvalidResponseDataError.isInstance(error) ? BROKE_OFF : readFailure(error)
}

async function drain(reader: Reader): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete; how its connection ended is of no interest.
  }
}

/** A request that opens after all, although nobody waits for it any more. */
function abandon(opening: Promise<OpenedAnswer>): void {
  opening.then(({ stream }) => stream.cancel()).catch(() => {})
}
