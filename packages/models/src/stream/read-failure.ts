import {
  APICallError,
  EmptyResponseBodyError,
  JSONParseError,
  LoadAPIKeyError,
  NoSuchModelError,
  TypeValidationError,
} from '@ai-sdk/provider'
import { isRecord, textOf } from '@longhaul/engine/advanced'
import type { ErrorClassifier } from '../overflow/create-error-classifier.ts'
import type { ProviderError } from '../overflow/provider-error.ts'
import type { ModelCall } from '../port/model-call.ts'
import type { ModelFailure } from '../port/model-failure.ts'
import { createFailure } from './failures.ts'

/** What the caller reckons with. */
type ExpectedSize = Pick<ModelCall, 'expectedInputTokens' | 'windowTokens'>

/**
 * Whatever was thrown, or came as an error in a stream, as a failure. What the provider said is the classifier's to
 * judge; what went wrong on the way, or in a program, is told apart here.
 */
export function readFailure(error: unknown, call: ExpectedSize, classify: ErrorClassifier): ModelFailure {
  const said = readProviderError(error)
  if (said !== null) {
    const { expectedInputTokens = null, windowTokens = null } = call
    return classify({ ...said, expectedInputTokens, windowTokens })
  }
  const chain = causesOf(error)
  if (isLostConnection(error, chain)) return describeLoss(chain)
  if (isUnreadable(error)) return createFailure('unavailable', `The response cannot be read: ${wordsOf(error)}`, true)
  if (LoadAPIKeyError.isInstance(error)) return createFailure('auth', error.message)
  if (NoSuchModelError.isInstance(error)) return createFailure('unknown-model', error.message)
  return createFailure('invalid-request', `The request could not be made: ${wordsOf(error)}`)
}

function readProviderError(error: unknown): ProviderError | null {
  if (typeof error === 'string') return { status: null, message: error, isFromProvider: true }
  if (APICallError.isInstance(error)) {
    const { statusCode, message, responseBody, responseHeaders, data } = error
    // Without a status nothing came back; below 300 what came back was an answer, and was lost on the way.
    if (statusCode === undefined || statusCode < 300) return null
    const headers = responseHeaders === undefined ? {} : { headers: responseHeaders }
    return { status: statusCode, message, body: responseBody ?? data, ...headers, isFromProvider: true }
  }
  // An error in a shape the SDK does not know, in the middle of a stream.
  if (TypeValidationError.isInstance(error)) {
    const { value } = error
    return isRecord(value) && 'error' in value ? { status: null, message: '', body: value, isFromProvider: true } : null
  }
  if (!isRecord(error)) return null
  const { message, statusCode, code, type, data } = error
  // Errors in a stream are plain records, not errors of the language.
  if (error instanceof Error && typeof statusCode !== 'number') return null
  return {
    status: typeof statusCode === 'number' ? statusCode : null,
    message: typeof message === 'string' ? message : '',
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    type: typeof type === 'string' ? type : null,
    body: data ?? error,
    isFromProvider: true,
  }
}

const MAX_CAUSES = 10

/** The error, what caused it, and so on; of several causes at once (one for each address of a host) the first. */
function causesOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  let next = error
  while (next instanceof Error && chain.length < MAX_CAUSES) {
    chain.push(next)
    next = next instanceof AggregateError ? next.errors[0] : next.cause
  }
  return chain
}

/** Codes of Node's sockets, name lookup and TLS, and of its HTTP client. */
const NETWORK_CODE =
  /^(?:E(?:CONN|PIPE|HOST|NET|TIMEDOUT|AI_|NOTFOUND|ADDR)|UND_ERR_|ERR_(?:TLS|SSL|STREAM|HTTP2|SOCKET)|CERT_|DEPTH_|SELF_|UNABLE_TO_)/
const CERTIFICATE_CODE = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT)/
const NETWORK_WORDS = /^(?:fetch failed|failed to fetch|terminated|network error)$/i
/** Not ours: a call that we cut is never asked what went wrong. */
const CANCELLED: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError', 'ResponseAborted'])

function isLostConnection(error: unknown, chain: readonly Error[]): boolean {
  return (
    APICallError.isInstance(error) ||
    chain.some(
      (cause) =>
        NETWORK_CODE.test(codeOf(cause)) ||
        CANCELLED.has(cause.name) ||
        (cause instanceof TypeError && NETWORK_WORDS.test(cause.message)),
    )
  )
}

function describeLoss(chain: readonly Error[]): ModelFailure {
  const code = chain.map(codeOf).find((found) => found !== '') ?? ''
  const deepest = chain.findLast(({ message }) => message !== '')?.message ?? ''
  const words = deepest.includes(code) ? deepest : `${deepest} (${code})`
  return createFailure('unavailable', `The connection failed: ${words}`, !CERTIFICATE_CODE.test(code))
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The SDK's complaint when the very first event of an Anthropic stream is garbage; the garbage itself is lost. */
const SDK_FIRST_EVENT = 'Expected a normalized Anthropic stream error'

function isUnreadable(error: unknown): boolean {
  return (
    JSONParseError.isInstance(error) ||
    TypeValidationError.isInstance(error) ||
    EmptyResponseBodyError.isInstance(error) ||
    (error instanceof Error && error.message === SDK_FIRST_EVENT)
  )
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : textOf(error)
}
