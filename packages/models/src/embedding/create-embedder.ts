import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { sliceHead } from '@longhaul/engine/advanced'
import { ModelsError } from '../models-error.ts'
import type { ErrorClassifier } from '../overflow/create-error-classifier.ts'
import type { EmbedCall, Embedder } from '../port/embedder.ts'
import type { ModelFailure, ModelFailureKind } from '../port/model-failure.ts'
import type { EmbeddingConnection } from '../providers/create-connections.ts'
import { createCallGuard } from '../stream/call-guard.ts'
import type { Clock } from '../stream/clock.ts'
import { sealFailure } from '../stream/failures.ts'
import { requestVectors } from './request-vectors.ts'
import type { VectorResult, Vectors } from './request-vectors.ts'

export interface EmbedderOptions {
  readonly id: string
  readonly connection: EmbeddingConnection
  readonly classify: ErrorClassifier
  readonly redact: (text: string) => string
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
}

const DEFAULT_TIMEOUT_MS = 60_000

export function createEmbedder({ id, connection, redact, ...options }: EmbedderOptions): Embedder {
  function fail(failure: ModelFailure): never {
    const sealed = sealFailure(failure, redact)
    throw new ModelsError('call-failed', `${id}: ${sealed.message}`, { failure: sealed })
  }

  async function embed({ texts, timeoutMs = DEFAULT_TIMEOUT_MS, maxRetries }: EmbedCall, signal: AbortSignal) {
    if (!connection.ok) return fail(connection.failure)
    const { model } = connection
    const guard = createCallGuard({ signal, totalMs: timeoutMs, clock: options.clock })
    const deadline = options.clock.now() + timeoutMs
    const request = (values: readonly string[]) =>
      requestVectors({ ...options, model, values, guard, deadline, timeoutMs, maxRetries })
    try {
      const vectors: Vectors[] = []
      for (const batch of splitBatches(texts, await readMost(model))) {
        const result = await embedFitting(batch, request)
        vectors.push('failure' in result ? fail(result.failure) : result.vectors)
      }
      return vectors.flat()
    } finally {
      guard.close()
    }
  }

  return { model: id, embed }
}

const TOO_LONG: ReadonlySet<ModelFailureKind> = new Set(['input-overflow', 'output-overflow', 'request-too-large'])
/** Whoever takes less than this takes nothing. */
const MIN_TEXT_CHARS = 100

/** What is too long is halved until it fits: first the batch, then a text that is too long by itself. */
async function embedFitting(
  values: readonly string[],
  request: (values: readonly string[]) => Promise<VectorResult>,
): Promise<VectorResult> {
  const result = await request(values)
  if (!('failure' in result) || !TOO_LONG.has(result.failure.kind)) return result
  const [first = ''] = values
  if (values.length === 1) {
    const half = sliceHead(first, Math.floor(first.length / 2))
    return half.length < MIN_TEXT_CHARS ? result : embedFitting([half], request)
  }
  const middle = Math.ceil(values.length / 2)
  const start = await embedFitting(values.slice(0, middle), request)
  if ('failure' in start) return start
  const end = await embedFitting(values.slice(middle), request)
  return 'failure' in end ? end : { vectors: [...start.vectors, ...end.vectors] }
}

function splitBatches(texts: readonly string[], most: number): readonly (readonly string[])[] {
  const batches: (readonly string[])[] = []
  for (let start = 0; start < texts.length; start += most) batches.push(texts.slice(start, start + most))
  return batches
}

/** How many texts one request may hold. */
async function readMost({ maxEmbeddingsPerCall }: EmbeddingModelV4): Promise<number> {
  return Math.max(1, (await maxEmbeddingsPerCall) ?? Infinity)
}
