import { findUnpaired } from './find-unpaired.ts'
import { openaiError, openaiKeyOf, openaiWrongKey } from './openai-errors.ts'
import { recordsIn, stringIn, textIn } from './read-json.ts'
import type { JsonRecord } from './read-json.ts'
import { frame, splitJson } from './sse-frame.ts'
import { piecesOf } from './wire-reply.ts'
import type { WireFinish, WireUsage } from './wire-reply.ts'
import type { WireMessage } from './wire-request.ts'
import type { Wire } from './wire.ts'

const FINISH_REASONS: Readonly<Record<WireFinish, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  refusal: 'content_filter',
  'window-exceeded': 'length',
}

/** OpenAI Chat Completions, which most other servers speak too: deltas of one message, usage in a chunk of its own. */
export const openaiChatWire: Wire = {
  name: 'openai-chat',
  accepts: (path) => path.endsWith('/chat/completions'),
  modelOf: (body) => stringIn(body, 'model'),
  promptOf: (body) => [body['tools'], body['messages']],
  maxOutputOf(body) {
    const most = body['max_completion_tokens'] ?? body['max_tokens']
    return typeof most === 'number' ? most : null
  },
  readMessages: (body) => recordsIn(body['messages']).map(readMessage),
  keyOf: openaiKeyOf,
  findInvalid(body, messages) {
    if (messages.length === 0) return openaiError(400, null, "[] is too short - 'messages'", 'messages')
    if (Array.isArray(body['tools']) && body['tools'].length === 0)
      return openaiError(400, null, "[] is too short - 'tools'", 'tools')
    const { unanswered, orphans } = findUnpaired(messages)
    if (orphans.length > 0)
      return openaiError(
        400,
        null,
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        `messages.[${orphans[0]?.index}].role`,
      )
    if (unanswered.length > 0)
      return openaiError(
        400,
        null,
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${unanswered.map(({ id }) => id).join(', ')}`,
        `messages.[${unanswered[0]?.index}].role`,
      )
    return null
  },
  wrongKey: openaiWrongKey,
  overflow({ inputTokens, outputTokens, windowTokens }) {
    const size = `This model's maximum context length is ${windowTokens} tokens. However,`
    const message =
      inputTokens > windowTokens
        ? `${size} your messages resulted in ${inputTokens} tokens. Please reduce the length of the messages.`
        : `${size} you requested ${inputTokens + outputTokens} tokens (${inputTokens} in the messages, ${outputTokens} in the completion). Please reduce the length of the messages or completion.`
    return openaiError(400, 'context_length_exceeded', message, 'messages')
  },
  isStreamed: (body) => body['stream'] === true,
  encode(answer, { model, usage, finish, turn }) {
    const chunk = (delta: JsonRecord, reason: string | null = null): string =>
      frame({
        id: `chatcmpl-${turn}`,
        object: 'chat.completion.chunk',
        created: 1_750_000_000,
        model,
        choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      })
    const calls = (answer.toolCalls ?? []).map(({ id, name, input }, index) =>
      [
        chunk({
          tool_calls: [
            { index, id: id ?? `call_${turn}_${index}`, type: 'function', function: { name, arguments: '' } },
          ],
        }),
        ...splitJson(input).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ].join(''),
    )
    return {
      opening: [chunk({ role: 'assistant', content: '' })],
      pieces: [
        ...piecesOf(answer.reasoning).map((thought) => chunk({ reasoning_content: thought })),
        ...piecesOf(answer.text).map((word) => chunk({ content: word })),
        ...calls,
      ],
      closing: [
        chunk({}, FINISH_REASONS[finish]),
        frame({
          id: `chatcmpl-${turn}`,
          object: 'chat.completion.chunk',
          created: 1_750_000_000,
          model,
          choices: [],
          usage: encodeUsage(usage),
        }),
        frame('[DONE]'),
      ],
    }
  },
  encodeWhole(answer, { model, usage, finish, turn }) {
    const thoughts = piecesOf(answer.reasoning).join('')
    const calls = (answer.toolCalls ?? []).map(({ id, name, input }, index) => ({
      id: id ?? `call_${turn}_${index}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }))
    const message = {
      role: 'assistant',
      content: piecesOf(answer.text).join(''),
      ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    }
    return {
      id: `chatcmpl-${turn}`,
      object: 'chat.completion',
      created: 1_750_000_000,
      model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH_REASONS[finish] }],
      usage: encodeUsage(usage),
    }
  },
  encodeError: ({ type, message, status }) => frame({ error: { message, type, code: status ?? null, param: null } }),
}

function encodeUsage(usage: WireUsage): JsonRecord {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

function readMessage(message: JsonRecord): WireMessage {
  const role = stringIn(message, 'role')
  return {
    role: role === 'assistant' || role === 'tool' || role === 'user' ? role : 'system',
    text: textIn(message['content']),
    callIds: recordsIn(message['tool_calls']).map((call) => stringIn(call, 'id')),
    resultIds: role === 'tool' ? [stringIn(message, 'tool_call_id')] : [],
  }
}
