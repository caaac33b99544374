import { sliceHead } from '@longhaul/engine/advanced'
import type { ModelFailure, ModelFailureKind } from '../port/model-failure.ts'
import type { Cut } from './call-guard.ts'

/** A failure that no endpoint told us about. */
export function createFailure(kind: ModelFailureKind, message: string, isRetryable = false): ModelFailure {
  return { kind, message, isRetryable, status: null, retryAfterMs: null, tokens: null }
}

/** A response that ended without an error and without an end. */
export const BROKE_OFF = createFailure('unavailable', 'The response ended before it was complete.', true)

interface CutAnswer {
  readonly cut: Cut
  /** How long nothing came. */
  readonly silentMs: number
  readonly totalMs: number
  /** Some of the answer was there already. */
  readonly hasBegun: boolean
}

export function describeCut({ cut, silentMs, totalMs, hasBegun }: CutAnswer): ModelFailure {
  switch (cut) {
    case 'aborted':
      return createFailure('aborted', 'The call was cancelled.')
    case 'total':
      return createFailure('timeout', `The answer was not complete after ${seconds(totalMs)}.`)
    case 'silent':
      return hasBegun
        ? createFailure('interrupted', `The answer broke off: nothing came for ${seconds(silentMs)}.`, true)
        : createFailure('timeout', `No answer began: nothing came for ${seconds(silentMs)}.`, true)
    default:
      return cut satisfies never
  }
}

/** What is no less true for having come in the middle of an answer. */
const STILL_TRUE: ReadonlySet<ModelFailureKind> = new Set(['input-overflow', 'output-overflow', 'refused'])

/** The request was accepted and answered: whatever went wrong then is an interruption. */
export function interruptedBy(failure: ModelFailure): ModelFailure {
  return STILL_TRUE.has(failure.kind)
    ? failure
    : { ...failure, kind: 'interrupted', message: `The answer broke off: ${failure.message}` }
}

const MAX_MESSAGE_CHARS = 500

/** Fit to be shown: one line, not too long, no secrets. Redacted first: half a key is not recognised any more. */
export function sealFailure(failure: ModelFailure, redact: (text: string) => string): ModelFailure {
  const line = redact(failure.message).replaceAll(/\s+/g, ' ').trim()
  const message = line.length > MAX_MESSAGE_CHARS ? `${sliceHead(line, MAX_MESSAGE_CHARS - 1)}…` : line
  return { ...failure, message: message === '' ? `The call failed (${failure.kind}).` : message }
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}
