import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import type { ErrorClassifier } from '../overflow/create-error-classifier.ts'
import type { ModelFailure } from '../port/model-failure.ts'
import { CUT } from '../stream/call-guard.ts'
import type { CallGuard } from '../stream/call-guard.ts'
import type { Clock } from '../stream/clock.ts'
import { createFailure, describeCut } from '../stream/failures.ts'
import { DEFAULT_MAX_RETRIES, planRetry } from '../stream/plan-retry.ts'
import { readFailure } from '../stream/read-failure.ts'

export type Vectors = readonly (readonly number[])[]

export type VectorResult = { readonly vectors: Vectors } | { readonly failure: ModelFailure }

export interface VectorRequest {
  readonly model: EmbeddingModelV4
  readonly values: readonly string[]
  readonly guard: CallGuard
  readonly timeoutMs: number
  /** When that is over, on the clock. */
  readonly deadline: number
  readonly maxRetries: number | undefined
  readonly classify: ErrorClassifier
  readonly clock: Clock
  readonly random: () => number
}

/** One request, and more of the same while waiting may help. Never rejects. */
export async function requestVectors(request: VectorRequest): Promise<VectorResult> {
  const { guard, deadline, clock, random, maxRetries = DEFAULT_MAX_RETRIES } = request
  for (let retries = 0; ; retries += 1) {
    const result = await attempt(request)
    if ('vectors' in result) return result
    const { failure } = result
    const plan = planRetry({ failure, retries, maxRetries, remainingMs: deadline - clock.now(), random })
    if (plan.action === 'give-up') return plan
    // A call cut while it waits is told by the attempt that is not made any more.
    await guard.pause(plan.delayMs)
  }
}

async function attempt({ model, values, guard, timeoutMs, classify }: VectorRequest): Promise<VectorResult> {
  const wasCut = () => describeCut({ cut: guard.cut() ?? 'aborted', silentMs: 0, totalMs: timeoutMs, hasBegun: false })
  if (guard.cut() !== null) return { failure: wasCut() }
  try {
    const abortSignal = guard.openAttempt()
    // The time that all of it may take is limit enough.
    const result = await guard.wait(model.doEmbed({ values: [...values], abortSignal }), Infinity)
    return result === CUT ? { failure: wasCut() } : check(result.embeddings, values.length)
  } catch (error) {
    return { failure: readFailure(error, {}, classify) }
  } finally {
    guard.closeAttempt()
  }
}

/** Vectors that are missing, empty or of several lengths would end up with the wrong texts. */
function check(vectors: Vectors, count: number): VectorResult {
  const length = vectors[0]?.length ?? 0
  const isWhole = vectors.length === count && length > 0 && vectors.every((vector) => vector.length === length)
  return isWhole
    ? { vectors }
    : { failure: createFailure('invalid-request', 'Its answer does not hold one vector a text.') }
}
