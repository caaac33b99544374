import type { ErrorRow } from './error-row.ts'
import { row } from './error-row.ts'

/** What mentions tokens, sizes or messages and is no overflow. Looked at before the overflows. */
export const NOT_WINDOW_ROWS: readonly ErrorRow[] = [
  row(
    'rate-limited',
    'Groq, OpenAI',
    'Request too large for model `llama-3.3-70b-versatile` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 12328, please reduce your message size and try again.',
    '(TPM): Limit {limit}…Requested {actual}',
  ),
  row('rate-limited', 'Bedrock', 'Too many tokens, please wait before trying again.', 'Too many tokens, please wait'),
  row('rate-limited', 'Bedrock', 'ThrottlingException: Rate exceeded', 'ThrottlingException'),
  row('rate-limited', 'several', 'Rate limit reached for requests', 'rate limit'),
  row('rate-limited', 'several', 'Too many requests'),
  row(
    'unavailable',
    'Bedrock',
    'ServiceUnavailableException: Bedrock is unable to process your request.',
    'ServiceUnavailable',
  ),

  row('request-too-large', 'Anthropic', 'Request exceeds the maximum size'),
  row(
    'request-too-large',
    'Anthropic',
    'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
    'image exceeds…maximum:…bytes',
  ),
  row(
    'request-too-large',
    'Gemini, Vertex',
    'Request payload size exceeds the limit: 20971520 bytes.',
    'Request payload size exceeds',
  ),
  row(
    'request-too-large',
    'Kimi',
    'total message size 10176584 exceeds limit 2097152',
    'total message size {n} exceeds limit',
  ),
  row('request-too-large', 'nginx and others', '413 Request Entity Too Large', 'Request Entity Too Large'),
  row('request-too-large', 'several', 'Payload Too Large'),
  row('request-too-large', 'several', 'request body too large'),

  row(
    'thinking-binding',
    'Anthropic',
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
    'bound to a different conversation',
  ),
  row(
    'thinking-binding',
    'Anthropic',
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    'Invalid signature in thinking block',
  ),
  row(
    'thinking-binding',
    'Anthropic',
    'messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
    'redacted_thinking blocks in the latest assistant message cannot be modified',
  ),
  row(
    'thinking-binding',
    'OpenAI Responses',
    'The encrypted content for item rs_0a1b could not be verified.',
    'encrypted content…could not be verified',
  ),

  row(
    'invalid-request',
    'Anthropic',
    'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    'unexpected tool_use_id found in tool_result blocks',
  ),
  row(
    'invalid-request',
    'Anthropic',
    'messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01',
    'tool_use ids were found without tool_result blocks',
  ),
  row(
    'invalid-request',
    'OpenAI Responses',
    'No tool output found for function call call_1.',
    'No tool output found for function call',
  ),
  row(
    'invalid-request',
    'OpenAI Chat',
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    "assistant message with 'tool_calls' must be followed by tool messages",
  ),
  row(
    'invalid-request',
    'OpenAI',
    "Invalid 'input[3].encrypted_content': string too long. Expected a string with maximum length 10485760, but got a string with length 12000000 instead.",
    'string too long. Expected a string with maximum length',
  ),
  row('invalid-request', 'several', 'max_tokens must be <= 8192', 'max_tokens must be'),
  row(
    'invalid-request',
    'Anthropic',
    'max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5',
    'the maximum allowed number of output tokens',
  ),
  row(
    'invalid-request',
    'OpenAI',
    'max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.',
    'supports at most {n} completion tokens',
  ),
]

/** What comes with a status or code that does not say it. Looked at after the overflows. */
export const ACCOUNT_ROWS: readonly ErrorRow[] = [
  row('auth', 'Anthropic', 'Your credit balance is too low to access the Anthropic API.', 'credit balance is too low'),
  row('auth', 'Gemini', 'API key not valid. Please pass a valid API key.', 'API key not valid'),
  row('auth', 'OpenAI', 'Incorrect API key provided', 'Incorrect API key'),
  row(
    'unknown-model',
    'OpenAI',
    'The model `gpt-9` does not exist or you do not have access to it.',
    'The model … does not exist',
  ),
  row('unknown-model', 'OpenRouter', 'some/model is not a valid model ID', 'is not a valid model ID'),
  row('unknown-model', 'Ollama', "model 'llama9' not found, try pulling it first", 'not found, try pulling it first'),
  row('unknown-model', 'Bedrock', 'The provided model identifier is invalid.', 'model identifier is invalid'),
  row('refused', 'Anthropic', 'Output blocked by content filtering policy'),
  row(
    'refused',
    'Azure OpenAI',
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    'content management policy',
  ),
  row(
    'refused',
    'OpenAI',
    'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
    'flagged as potentially violating',
  ),
  row(
    'refused',
    'OpenRouter',
    'Your chosen model requires moderation and your input was flagged',
    'your input was flagged',
  ),
  row('refused', 'Qwen', 'Input data may contain inappropriate content.', 'may contain inappropriate content'),
  row('refused', 'DeepSeek', 'Content Exists Risk'),
]
