import type { ModelFailureKind } from '../../port/model-failure.ts'

type CodeTable = Readonly<Record<string, ModelFailureKind>>

/** Codes and types that mean one thing, whatever the text beside them says. In lower case. */
export const DECISIVE_CODES: CodeTable = {
  // OpenAI, Azure, Groq and their likes.
  context_length_exceeded: 'input-overflow',
  // llama.cpp, with n_prompt_tokens and n_ctx beside it.
  exceed_context_size_error: 'input-overflow',
  // LiteLLM.
  contextwindowexceedederror: 'input-overflow',
  // z.ai.
  '1261': 'input-overflow',
  // Anthropic.
  request_too_large: 'request-too-large',
  // A parameter of ours is too long, however much room the window has.
  string_above_max_length: 'invalid-request',
  // Groq sends this with 413 for a budget a minute.
  rate_limit_exceeded: 'rate-limited',
  rate_limit_error: 'rate-limited',
  throttlingexception: 'rate-limited',
  // No money left: only the account's owner can help, waiting cannot.
  insufficient_quota: 'auth',
  billing_error: 'auth',
  invalid_encrypted_content: 'thinking-binding',
  content_filter: 'refused',
  content_policy_violation: 'refused',
  data_inspection_failed: 'refused',
}

/** Codes that say what it is unless the text knows better: an overflow has come as each of these. */
export const FALLBACK_CODES: CodeTable = {
  resource_exhausted: 'rate-limited',
  too_many_requests: 'rate-limited',
  authentication_error: 'auth',
  permission_error: 'auth',
  invalid_api_key: 'auth',
  api_key_invalid: 'auth',
  unauthenticated: 'auth',
  permission_denied: 'auth',
  model_not_found: 'unknown-model',
  not_found_error: 'unknown-model',
  overloaded_error: 'unavailable',
  api_error: 'unavailable',
  server_error: 'unavailable',
  timeout_error: 'unavailable',
  unavailable: 'unavailable',
  internal: 'unavailable',
  deadline_exceeded: 'unavailable',
}

/** What a status alone says. Null, from a stream that had begun well, is taken for a fault of the server. */
export function kindOfStatus(status: number | null): ModelFailureKind {
  if (status === null || status >= 500) return 'unavailable'
  switch (status) {
    case 401:
    case 402:
    case 403:
      return 'auth'
    case 404:
      return 'unknown-model'
    case 408:
    case 409:
    case 425:
      return 'unavailable'
    case 413:
      return 'request-too-large'
    case 429:
      return 'rate-limited'
    default:
      return 'invalid-request'
  }
}
