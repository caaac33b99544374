import type { ErrorRow } from './error-row.ts'
import { row } from './error-row.ts'

/**
 * The prompt, or the prompt and the output asked for, are larger than the window: which of the two, the numbers say. The
 * first row that fits wins, so a text with numbers stands above the same text without.
 */
export const WINDOW_ROWS: readonly ErrorRow[] = [
  overflow(
    'Anthropic, Bedrock',
    'prompt is too long: 213462 tokens > 200000 maximum',
    'prompt is too long: {actual} tokens > {limit} maximum',
  ),
  overflow('Anthropic on Vertex', 'Prompt is too long'),
  overflow(
    'Anthropic, older models',
    'input length and `max_tokens` exceed context limit: 199323 + 20000 > 200000, decrease input length or `max_tokens` and try again',
    'input length and max_tokens exceed context limit: {actual} + {output} > {limit}',
  ),

  overflow(
    'OpenAI Chat',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 204308 tokens. Please reduce the length of the messages.",
    'maximum context length is {limit} tokens…your messages resulted in {actual} tokens',
  ),
  overflow(
    'OpenAI Chat, DeepSeek, vLLM',
    "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    'maximum context length is {limit} tokens…requested {total} tokens (…{output} in the completion',
  ),
  overflow(
    'OpenAI completions',
    "This model's maximum context length is 8191 tokens, however you requested 10351 tokens (10346 in your prompt; 5 for the completion). Please reduce your prompt; or completion length.",
    'maximum context length is {limit} tokens…requested {total} tokens (…{output} for the completion',
  ),
  overflow(
    'OpenRouter',
    "This endpoint's maximum context length is 262144 tokens. However, you requested about 284283 tokens (8963 of text input, 13176 of tool input, 262144 in the output). Please reduce the length of either one, or use the context-compression plugin",
    'maximum context length is {limit} tokens…requested about {total} tokens (…{output} in the output',
  ),
  overflow(
    'vLLM, Bedrock Mantle',
    "This model's maximum context length is 202752 tokens. However, you requested 65536 output tokens and your prompt contains at least 137217 input tokens, for a total of at least 202753 tokens.",
    'maximum context length is {limit} tokens…requested {output} output tokens and your prompt contains at least {atLeast} input tokens',
  ),
  overflow(
    'vLLM',
    "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 131072 tokens and your request has 99073 input tokens (32000 > 131072 - 99073).",
    'is too large: {output}.…maximum context length is {limit} tokens and your request has {actual} input tokens',
  ),
  overflow(
    'vLLM',
    "You passed 99073 input tokens and requested 32000 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 99072 tokens.",
    "You passed {actual} input tokens and requested {output} output tokens. However, the model's context length is only {limit} tokens",
  ),
  overflow(
    'vLLM',
    'The decoder prompt (length 40960) is longer than the maximum model length of 32768.',
    'prompt (length {actual}) is longer than the maximum model length of {limit}',
  ),
  overflow(
    'Azure OpenAI',
    "This model's maximum context length is 128000 tokens.",
    'maximum context length is {limit} tokens',
  ),
  overflow(
    'SGLang',
    "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 120000 tokens from the input messages and 20000 tokens for the completion.",
    'maximum context length of {limit} tokens. You requested a total of {total} tokens: {actual} tokens from the input messages and {output} tokens for the completion',
  ),
  overflow(
    'LiteLLM',
    "Requested token count exceeds the model's maximum context length of 131072 tokens",
    'maximum context length of {limit} tokens',
  ),
  overflow(
    'OpenAI Chat, GPT-5 and later',
    'Input tokens exceed the configured limit of 922000 tokens. Your messages resulted in 1751400 tokens. Please reduce the length of the messages.',
    'Input tokens exceed the configured limit of {limit} tokens…messages resulted in {actual} tokens',
  ),
  overflow(
    'OpenAI Responses',
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'exceeds the context window',
  ),

  overflow(
    'Gemini, Vertex',
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    'input token count ({actual}) exceeds the maximum number of tokens allowed ({limit})',
  ),
  overflow(
    'Gemini, Vertex',
    'The input token count exceeds the maximum number of tokens allowed (1048576).',
    'input token count exceeds the maximum number of tokens allowed ({limit})',
  ),
  overflow(
    'Mistral',
    'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    'Prompt contains {actual} tokens…too large for model with {limit} maximum context length',
  ),
  overflow(
    'xAI',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'maximum prompt length is {limit} but the request contains {actual} tokens',
  ),
  overflow(
    'Cerebras',
    'Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000',
    'Current length is {actual} while limit is {limit}',
  ),
  overflow('Groq', 'Please reduce the length of the messages or completion.', 'reduce the length of the messages'),
  overflow(
    'Poolside',
    'Input length 140000 exceeds the maximum allowed input length of 131072 tokens.',
    'Input length {actual} exceeds the maximum allowed input length of {limit} tokens',
  ),
  overflow(
    'Together',
    "The input (140000 tokens) is longer than the model's context length (131072 tokens).",
    "input ({actual} tokens) is longer than the model's context length ({limit} tokens)",
  ),
  overflow('Bedrock', 'Input is too long for requested model.', 'Input is too long for requested model'),
  overflow('Bedrock', 'too many total text bytes: 500000 > 400000', 'too many total text bytes'),
  overflow(
    'Bedrock Mantle',
    'prompt tokens (1200008) exceed model maximum (1050000) for openai.gpt-5.6-terra',
    'prompt tokens ({actual}) exceed model maximum ({limit})',
  ),

  overflow(
    'llama.cpp, Ollama',
    'request (124071 tokens) exceeds the available context size (123904 tokens), try increasing it',
    'request ({actual} tokens) exceeds the available context size ({limit} tokens)',
  ),
  overflow(
    'llama.cpp, older',
    'the request exceeds the available context size, try increasing it',
    'exceeds the available context size',
  ),
  overflow(
    'ds4',
    'Prompt tokens (70000) exceeds context size (65536)',
    'prompt tokens ({actual}) exceeds context size ({limit})',
  ),
  overflow(
    'Ollama',
    'prompt too long; exceeded max context length by 1204 tokens',
    'prompt too long; exceeded max context length',
  ),
  overflow(
    'LM Studio',
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input',
    'greater than the context length (n_keep: {actual}>= n_ctx: {limit})',
  ),
  overflow(
    'LM Studio',
    'Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)',
    'Cannot truncate prompt with n_keep ({actual}) >= n_ctx ({limit})',
  ),
  overflow(
    'LM Studio',
    'Trying to keep the first 22541 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    'keep the first {actual} tokens when context the overflows…context length of only {limit} tokens',
  ),
  overflow(
    'LM Studio',
    'Trying to keep the first 22541 tokens when context the overflows.',
    'tokens when context the overflows',
  ),
  overflow('LM Studio, MLX', 'Context size has been exceeded', 'Context size has been exceeded'),

  overflow(
    'OpenAI, embeddings',
    "Invalid 'input[0]': maximum input length is 8192 tokens.",
    'maximum input length is {limit} tokens',
  ),
  overflow(
    'OpenAI, embeddings',
    "Invalid 'input': maximum request size is 300000 tokens per request.",
    'maximum request size is {limit} tokens per request',
  ),
  overflow(
    'llama.cpp, embeddings',
    'input (596 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
    'input ({actual} tokens) is too large to process…current batch size: {limit}',
  ),
  overflow(
    'llama.cpp, embeddings, older',
    'input is too large to process. increase the physical batch size',
    'input is too large to process',
  ),
  overflow('Ollama, embeddings', 'the input length exceeds the context length'),
  overflow('Ollama, embeddings, older', 'input length exceeds maximum context length'),

  overflow(
    'Kimi',
    'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
    'exceeded model token limit: {limit} (requested: {actual})',
  ),
  overflow('MiniMax', 'invalid params, context window exceeds limit', 'context window exceeds limit'),
  overflow('z.ai', 'Prompt exceeds max length'),
  overflow('Qwen', 'Range of input length should be [1, 98304]', 'Range of input length should be [1, {limit}]'),
  overflow(
    'GitHub Copilot',
    'prompt token count of 140211 exceeds the limit of 128000',
    'prompt token count of {actual} exceeds the limit of {limit}',
  ),
  overflow(
    'LiteLLM',
    'litellm.ContextWindowExceededError: litellm.BadRequestError: the input did not fit',
    'ContextWindowExceededError',
  ),
  overflow('proxies that pass the code on', 'upstream error: context_length_exceeded', 'context_length_exceeded'),
]

function overflow(vendor: string, sample: string, sentence?: string): ErrorRow {
  return row('input-overflow', vendor, sample, sentence)
}
