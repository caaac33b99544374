import { APICallError } from '@ai-sdk/provider'

/** What a provider answers when a request is larger than the window, in the words of OpenAI's Chat API. */
export function createOverflowError(tokens: number, windowTokens: number): APICallError {
  const message = `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
  const body = { error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' } }
  return new APICallError({
    message,
    url: 'offline:extractive',
    requestBodyValues: {},
    statusCode: 400,
    responseHeaders: {},
    responseBody: JSON.stringify(body),
    data: body,
    isRetryable: false,
  })
}
