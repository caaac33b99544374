import { findUnpaired } from './find-unpaired.ts'
import { recordsIn, stringIn, textIn } from './read-json.ts'
import type { JsonRecord } from './read-json.ts'
import { frame, splitJson } from './sse-frame.ts'
import { piecesOf } from './wire-reply.ts'
import type { WireAnswer, WireFinish } from './wire-reply.ts'
import type { WireMessage } from './wire-request.ts'
import type { Wire, WireContext, WireHttpError } from './wire.ts'

const STOP_REASONS: Readonly<Record<WireFinish, string>> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  'window-exceeded': 'model_context_window_exceeded',
}

const MAX_BREAKPOINTS = 4

/** Anthropic Messages: named events; blocks that start, grow and stop. */
export const anthropicWire: Wire = {
  name: 'anthropic',
  accepts: (path) => path.endsWith('/messages'),
  modelOf: (body) => stringIn(body, 'model'),
  promptOf: (body) => [body['system'], body['tools'], body['messages']],
  maxOutputOf: (body) => (typeof body['max_tokens'] === 'number' ? body['max_tokens'] : null),
  readMessages: (body) => [
    ...(body['system'] === undefined ? [] : [{ ...NO_TOOLS, role: 'system' as const, text: textIn(body['system']) }]),
    ...recordsIn(body['messages']).map(readMessage),
  ],
  keyOf: (headers) => headers['x-api-key'] ?? null,
  findInvalid(body, messages) {
    if (typeof body['max_tokens'] !== 'number') return invalid('max_tokens: Field required')
    const sent = recordsIn(body['messages'])
    const [first] = sent
    if (first === undefined) return invalid('messages: at least one message is required')
    if (first['role'] !== 'user') return invalid('messages: first message must use the "user" role')
    // A system message may be empty: Claude Code sets the effort of a turn with one.
    const empty = sent.findIndex(
      ({ role, content }) => role !== 'system' && (content === '' || (Array.isArray(content) && content.length === 0)),
    )
    if (empty >= 0) return invalid(`messages.${empty}: all messages must have non-empty content`)
    if (
      recordsIn(sent.flatMap(({ content }) => content)).some((part) => part['type'] === 'text' && part['text'] === '')
    )
      return invalid('messages: text content blocks must be non-empty')
    const breakpoints = JSON.stringify(body).split('"cache_control":').length - 1
    if (breakpoints > MAX_BREAKPOINTS)
      return invalid(`A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${breakpoints}.`)
    return findInvalidPair(messages)
  },
  wrongKey: () => failure(401, 'authentication_error', 'invalid x-api-key'),
  overflow({ inputTokens, outputTokens, windowTokens }) {
    if (inputTokens > windowTokens)
      return invalid(`prompt is too long: ${inputTokens} tokens > ${windowTokens} maximum`)
    return invalid(
      `input length and \`max_tokens\` exceed context limit: ${inputTokens} + ${outputTokens} > ${windowTokens}, decrease input length or \`max_tokens\` and try again`,
    )
  },
  isStreamed: (body) => body['stream'] === true,
  encode(answer, context) {
    const { model, usage, finish, turn } = context
    const message = {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage(context), output_tokens: 1 },
    }
    const details = usage.reasoning > 0 ? { output_tokens_details: { thinking_tokens: usage.reasoning } } : {}
    return {
      opening: [event({ type: 'message_start', message }), event({ type: 'ping' })],
      pieces: encodeBlocks(answer, turn),
      closing: [
        event({
          type: 'message_delta',
          delta: { stop_reason: STOP_REASONS[finish], stop_sequence: null },
          usage: { ...inputUsage(context), output_tokens: usage.output, ...details },
        }),
        event({ type: 'message_stop' }),
      ],
    }
  },
  encodeWhole(answer, context) {
    const { model, usage, finish, turn } = context
    const thoughts = piecesOf(answer.reasoning).join('')
    const text = piecesOf(answer.text).join('')
    const signature = answer.signature ?? `signature-${turn}`
    return {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [
        ...(thoughts === '' ? [] : [{ type: 'thinking', thinking: thoughts, signature }]),
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...(answer.toolCalls ?? []).map(({ id, name, input }, index) => ({
          type: 'tool_use',
          id: id ?? `toolu_${turn}_${index}`,
          name,
          input,
        })),
      ],
      stop_reason: STOP_REASONS[finish],
      stop_sequence: null,
      usage: { ...inputUsage(context), output_tokens: usage.output },
    }
  },
  encodeError: ({ type, message }) => event({ type: 'error', error: { type, message } }),
}

const NO_TOOLS = { callIds: [], resultIds: [] }

function readMessage(message: JsonRecord): WireMessage {
  const { role, content } = message
  const parts = recordsIn(content)
  const idsOf = (type: string, key: string): readonly string[] =>
    parts.filter((part) => part['type'] === type).map((part) => stringIn(part, key))
  return {
    role: role === 'assistant' || role === 'system' ? role : 'user',
    text: textIn(content),
    callIds: idsOf('tool_use', 'id'),
    resultIds: idsOf('tool_result', 'tool_use_id'),
  }
}

function findInvalidPair(messages: readonly WireMessage[]): WireHttpError | null {
  const { unanswered, orphans } = findUnpaired(messages)
  const offset = messages[0]?.role === 'system' ? 1 : 0
  const [orphan] = orphans
  if (orphan !== undefined)
    return invalid(
      `messages.${orphan.index - offset}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan.id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    )
  const [open] = unanswered
  if (open === undefined) return null
  return invalid(
    `messages.${open.index - offset}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unanswered.map(({ id }) => id).join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  )
}

interface Block {
  readonly start: JsonRecord
  readonly deltas: readonly JsonRecord[]
  /** Sent with the last delta. */
  readonly last?: JsonRecord
}

function encodeBlocks({ reasoning, signature, text, toolCalls = [] }: WireAnswer, turn: number): readonly string[] {
  const thoughts = piecesOf(reasoning)
  const words = piecesOf(text)
  const thinking: Block = {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: thoughts.map((thought) => ({ type: 'thinking_delta', thinking: thought })),
    last: { type: 'signature_delta', signature: signature ?? `signature-${turn}` },
  }
  const prose: Block = {
    start: { type: 'text', text: '' },
    deltas: words.map((word) => ({ type: 'text_delta', text: word })),
  }
  const calls = toolCalls.map(({ id, name, input }, index): Block => ({
    start: { type: 'tool_use', id: id ?? `toolu_${turn}_${index}`, name, input: {} },
    deltas: splitJson(input).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  }))
  const spoken = [thinking, prose].filter(({ deltas }) => deltas.length > 0)
  return [
    ...spoken.flatMap(encodeBlock),
    ...calls.map((call, index) => encodeBlock(call, spoken.length + index).join('')),
  ]
}

/** A block's start comes with its first piece and its stop with the last. */
function encodeBlock({ start, deltas, last }: Block, index: number): readonly string[] {
  const grow = (delta: JsonRecord): string => event({ type: 'content_block_delta', index, delta })
  const opening = event({ type: 'content_block_start', index, content_block: start })
  const closing = (last === undefined ? '' : grow(last)) + event({ type: 'content_block_stop', index })
  return deltas.map((delta, at) => (at === 0 ? opening : '') + grow(delta) + (at === deltas.length - 1 ? closing : ''))
}

function inputUsage({ usage }: WireContext): JsonRecord {
  return {
    input_tokens: usage.input - usage.cacheRead - usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
  }
}

function event(data: JsonRecord & { readonly type: string }): string {
  return frame(data, data.type)
}

function invalid(message: string): WireHttpError {
  return failure(400, 'invalid_request_error', message)
}

function failure(status: number, type: string, message: string): WireHttpError {
  return { status, body: { type: 'error', error: { type, message } } }
}
