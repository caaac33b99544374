import { APICallError } from '@ai-sdk/provider'

export interface HttpErrorOptions {
  readonly status: number
  readonly message: string
  /** A code or type in the body, such as `context_length_exceeded`. */
  readonly code?: string
  /** For one, `{ 'retry-after': '20' }`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An endpoint's refusal as the AI SDK throws it. */
export function createHttpError({ status, message, code, headers = {} }: HttpErrorOptions): APICallError {
  const data = { error: { message, ...(code === undefined ? {} : { code, type: code }) } }
  return new APICallError({
    message,
    url: 'https://scripted.invalid/v1',
    requestBodyValues: {},
    statusCode: status,
    responseHeaders: { ...headers },
    responseBody: JSON.stringify(data),
    data,
  })
}

/** A connection that could not be made or was lost, as the AI SDK throws it. */
export function createConnectionError(code = 'ECONNRESET'): APICallError {
  return new APICallError({
    message: `Cannot connect to API: ${code}`,
    url: 'https://scripted.invalid/v1',
    requestBodyValues: {},
    cause: Object.assign(new Error(code), { code }),
    isRetryable: true,
  })
}

export interface OverflowCounts {
  readonly inputTokens: number
  readonly windowTokens: number
}

/** How vendors say that a prompt is too long. */
const OVERFLOWS = {
  anthropic: ({ inputTokens, windowTokens }) => ({
    status: 400,
    code: 'invalid_request_error',
    message: `prompt is too long: ${inputTokens} tokens > ${windowTokens} maximum`,
  }),
  openai: ({ inputTokens, windowTokens }) => ({
    status: 400,
    code: 'context_length_exceeded',
    message: `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${inputTokens} tokens. Please reduce the length of the messages.`,
  }),
  google: ({ inputTokens, windowTokens }) => ({
    status: 400,
    code: 'INVALID_ARGUMENT',
    message: `The input token count (${inputTokens}) exceeds the maximum number of tokens allowed (${windowTokens}).`,
  }),
  'llama.cpp': ({ inputTokens, windowTokens }) => ({
    status: 400,
    code: 'exceed_context_size_error',
    message: `request (${inputTokens} tokens) exceeds the available context size (${windowTokens} tokens), try increasing it`,
  }),
} satisfies Record<string, (counts: OverflowCounts) => HttpErrorOptions>

export type OverflowVendor = keyof typeof OVERFLOWS

export function createOverflowError(vendor: OverflowVendor, counts: OverflowCounts): APICallError {
  return createHttpError(OVERFLOWS[vendor](counts))
}
