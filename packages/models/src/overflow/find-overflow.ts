import { isRecord } from '@longhaul/engine/advanced'
import { createErrorClassifier } from './create-error-classifier.ts'
import type { ProviderError } from './provider-error.ts'

/** A provider's refusal of a request as too long, with the numbers that it named. */
export interface Overflow {
  readonly limitTokens?: number
  readonly actualTokens?: number
}

const classify = createErrorClassifier()
const MAX_CAUSES = 10

/**
 * Says whether an error that any library threw is a provider's refusal of a request as too long; null: it is something
 * else. Errors inside errors are looked at too: libraries wrap what they retried.
 *
 * @example
 * const overflow = findOverflow(error)
 * if (overflow !== null && (await mirror.refused(overflow))) await sendAgain()
 */
export function findOverflow(error: unknown): Overflow | null {
  let next = error
  for (let depth = 0; depth < MAX_CAUSES && next !== undefined && next !== null; depth += 1) {
    const { kind, tokens } = classify(describeThrown(next))
    if (kind === 'input-overflow') return nameNumbers(tokens)
    next = isRecord(next) || next instanceof Error ? causeOf(next) : undefined
  }
  return null
}

/** The fields in which the usual libraries keep status, words and body of a refusal. */
function describeThrown(thrown: unknown): ProviderError {
  if (typeof thrown === 'string') return { status: null, message: thrown, isFromProvider: true }
  const fields = (typeof thrown === 'object' ? thrown : {}) as Readonly<Record<string, unknown>>
  const { status, statusCode, message, code, type, responseBody, body, error, data } = fields
  return {
    status: [status, statusCode].find((value) => typeof value === 'number') ?? null,
    message: typeof message === 'string' ? message : '',
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    type: typeof type === 'string' ? type : null,
    body: responseBody ?? body ?? error ?? data,
    isFromProvider: true,
  }
}

function causeOf(thrown: object): unknown {
  const { cause, lastError } = thrown as { readonly cause?: unknown; readonly lastError?: unknown }
  return lastError ?? cause
}

function nameNumbers(tokens: { readonly limit: number | null; readonly actual: number | null } | null): Overflow {
  const { limit = null, actual = null } = tokens ?? {}
  return {
    ...(limit === null ? {} : { limitTokens: limit }),
    ...(actual === null ? {} : { actualTokens: actual }),
  }
}
