import { findUnpaired } from './find-unpaired.ts'
import { openaiError, openaiKeyOf, openaiWrongKey } from './openai-errors.ts'
import { recordsIn, stringIn, textIn } from './read-json.ts'
import type { JsonRecord } from './read-json.ts'
import { frame, splitJson } from './sse-frame.ts'
import { piecesOf } from './wire-reply.ts'
import type { WireAnswer, WireToolCall } from './wire-reply.ts'
import type { WireMessage } from './wire-request.ts'
import type { Wire, WireContext } from './wire.ts'

/** OpenAI Responses: a list of output items, each announced, grown and closed; every event is numbered. */
export const openaiResponsesWire: Wire = {
  name: 'openai-responses',
  accepts: (path) => path.endsWith('/responses'),
  modelOf: (body) => stringIn(body, 'model'),
  promptOf: (body) => [body['instructions'], body['tools'], body['input']],
  maxOutputOf: (body) => (typeof body['max_output_tokens'] === 'number' ? body['max_output_tokens'] : null),
  readMessages: (body) => joinSteps(recordsIn(body['input']).map(readItem)),
  keyOf: openaiKeyOf,
  findInvalid(body, messages) {
    if (recordsIn(body['input']).length === 0)
      return openaiError(400, 'missing_required_parameter', "Missing required parameter: 'input'.")
    const { unanswered, orphans } = findUnpaired(messages)
    const [orphan] = orphans
    // The call may stand in the response that the request goes on from.
    if (orphan !== undefined && typeof body['previous_response_id'] !== 'string')
      return openaiError(400, null, `No tool call found for function call output with call_id ${orphan.id}.`, 'input')
    const [open] = unanswered
    if (open !== undefined) return openaiError(400, null, `No tool output found for function call ${open.id}.`, 'input')
    return null
  },
  wrongKey: openaiWrongKey,
  overflow: () =>
    openaiError(
      400,
      'context_length_exceeded',
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'input',
    ),
  isStreamed: (body) => body['stream'] === true,
  encode(answer, context) {
    const send = createNumbering()
    const response = { ...openResponse(context), status: 'in_progress', output: [] }
    const opening = [send({ type: 'response.created', response }), send({ type: 'response.in_progress', response })]
    const pieces = encodeItems(answer, context.turn, send)
    // The last event repeats all that was streamed: some clients read nothing else.
    const closed = closeResponse({ ...response, output: wholeItems(answer, context.turn) }, context)
    return { opening, pieces, closing: [send({ type: `response.${closed.status}`, response: closed })] }
  },
  encodeWhole: (answer, context) =>
    closeResponse({ ...openResponse(context), output: wholeItems(answer, context.turn) }, context),
  encodeError: ({ type, message }) =>
    frame({ type: 'error', sequence_number: 0, code: type, message, param: null }, 'error'),
}

type Send = (event: JsonRecord & { readonly type: string }) => string

function createNumbering(): Send {
  let sequence = 0
  return (event) => {
    sequence += 1
    return frame({ ...event, sequence_number: sequence - 1 }, event.type)
  }
}

function readItem(item: JsonRecord): WireMessage {
  const callId = stringIn(item, 'call_id')
  switch (item['type']) {
    case 'function_call':
    case 'custom_tool_call':
      return { role: 'assistant', text: '', callIds: [callId], resultIds: [] }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', text: textIn(item['output']), callIds: [], resultIds: [callId] }
    case 'reasoning':
      return { role: 'assistant', text: '', callIds: [], resultIds: [] }
    default: {
      const role = stringIn(item, 'role')
      return {
        role: role === 'assistant' ? 'assistant' : role === 'user' ? 'user' : 'system',
        text: textIn(item['content']),
        callIds: [],
        resultIds: [],
      }
    }
  }
}

/** What the model said in one step is several items here. */
function joinSteps(items: readonly WireMessage[]): readonly WireMessage[] {
  const messages: WireMessage[] = []
  for (const item of items) {
    const last = messages.at(-1)
    if (item.role !== 'assistant' || last?.role !== 'assistant') {
      messages.push(item)
      continue
    }
    messages[messages.length - 1] = {
      ...last,
      text: [last.text, item.text].filter((text) => text !== '').join('\n'),
      callIds: [...last.callIds, ...item.callIds],
    }
  }
  return messages
}

function encodeItems(answer: WireAnswer, turn: number, send: Send): readonly string[] {
  const thoughts = piecesOf(answer.reasoning)
  const words = piecesOf(answer.text)
  let index = 0
  const pieces: string[] = []
  if (thoughts.length > 0) {
    pieces.push(...encodeReasoning(thoughts, { index, turn, signature: answer.signature ?? `encrypted-${turn}` }, send))
    index += 1
  }
  if (words.length > 0) {
    pieces.push(...encodeMessage(words, { index, turn }, send))
    index += 1
  }
  for (const call of answer.toolCalls ?? []) {
    pieces.push(encodeCall(call, { index, turn }, send))
    index += 1
  }
  return pieces
}

interface Place {
  readonly index: number
  readonly turn: number
}

function encodeReasoning(
  thoughts: readonly string[],
  { index, turn, signature }: Place & { readonly signature: string },
  send: Send,
): readonly string[] {
  const id = `rs_${turn}_${index}`
  const at = { item_id: id, output_index: index, summary_index: 0 }
  const text = thoughts.join('')
  const item = { id, type: 'reasoning', encrypted_content: signature }
  return around(thoughts, {
    opening: () =>
      send({ type: 'response.output_item.added', output_index: index, item: { ...item, summary: [] } }) +
      send({ type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } }),
    piece: (delta) => send({ type: 'response.reasoning_summary_text.delta', ...at, delta }),
    closing: () =>
      send({ type: 'response.reasoning_summary_text.done', ...at, text }) +
      send({ type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text } }) +
      send({
        type: 'response.output_item.done',
        output_index: index,
        item: { ...item, summary: [{ type: 'summary_text', text }] },
      }),
  })
}

function encodeMessage(words: readonly string[], { index, turn }: Place, send: Send): readonly string[] {
  const id = `msg_${turn}_${index}`
  const at = { item_id: id, output_index: index, content_index: 0 }
  const text = words.join('')
  const part = { type: 'output_text', annotations: [], text }
  const item = { id, type: 'message', role: 'assistant' }
  return around(words, {
    opening: () =>
      send({
        type: 'response.output_item.added',
        output_index: index,
        item: { ...item, status: 'in_progress', content: [] },
      }) + send({ type: 'response.content_part.added', ...at, part: { ...part, text: '' } }),
    piece: (delta) => send({ type: 'response.output_text.delta', ...at, delta, logprobs: [] }),
    closing: () =>
      send({ type: 'response.output_text.done', ...at, text, logprobs: [] }) +
      send({ type: 'response.content_part.done', ...at, part }) +
      send({
        type: 'response.output_item.done',
        output_index: index,
        item: { ...item, status: 'completed', content: [part] },
      }),
  })
}

function encodeCall(call: WireToolCall, { index, turn }: Place, send: Send): string {
  const { id, name, input } = call
  if (call.customInput !== undefined) return encodeCustomCall(call, { index, turn }, send)
  const itemId = `fc_${turn}_${index}`
  const item = { id: itemId, type: 'function_call', call_id: id ?? `call_${turn}_${index}`, name }
  const json = JSON.stringify(input)
  const at = { item_id: itemId, output_index: index }
  return [
    send({
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, status: 'in_progress', arguments: '' },
    }),
    ...splitJson(input).map((delta) => send({ type: 'response.function_call_arguments.delta', ...at, delta })),
    send({ type: 'response.function_call_arguments.done', ...at, arguments: json }),
    send({
      type: 'response.output_item.done',
      output_index: index,
      item: { ...item, status: 'completed', arguments: json },
    }),
  ].join('')
}

function encodeCustomCall(call: WireToolCall, place: Place, send: Send): string {
  const item = customItem(call, place)
  const at = { item_id: item['id'], output_index: place.index }
  const open = { ...item, status: 'in_progress', input: '' }
  return [
    send({ type: 'response.output_item.added', output_index: place.index, item: open }),
    send({ type: 'response.custom_tool_call_input.delta', ...at, delta: call.customInput }),
    send({ type: 'response.custom_tool_call_input.done', ...at, input: call.customInput }),
    send({ type: 'response.output_item.done', output_index: place.index, item }),
  ].join('')
}

function customItem({ id, name, customInput }: WireToolCall, { index, turn }: Place): JsonRecord {
  const callId = id ?? `call_${turn}_${index}`
  return {
    id: `ctc_${turn}_${index}`,
    type: 'custom_tool_call',
    status: 'completed',
    call_id: callId,
    name,
    input: customInput,
  }
}

interface Item {
  readonly opening: () => string
  readonly piece: (text: string) => string
  readonly closing: () => string
}

/** In the order in which they are sent, because sending numbers them. */
function around(texts: readonly string[], { opening, piece, closing }: Item): readonly string[] {
  return texts.map((text, at) => (at === 0 ? opening() : '') + piece(text) + (at === texts.length - 1 ? closing() : ''))
}

function openResponse({ turn, model }: WireContext): JsonRecord {
  return { id: `resp_${turn}`, object: 'response', created_at: 1_750_000_000, model }
}

function closeResponse(
  response: JsonRecord,
  { usage, finish }: WireContext,
): JsonRecord & { readonly status: 'completed' | 'incomplete' } {
  const cacheWrite = usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}
  const billed = {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead, ...cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  }
  const reason = { length: 'max_output_tokens', 'window-exceeded': 'max_output_tokens', refusal: 'content_filter' }
  if (finish === 'stop' || finish === 'tool-calls') return { ...response, status: 'completed', usage: billed }
  return { ...response, status: 'incomplete', incomplete_details: { reason: reason[finish] }, usage: billed }
}

/** The same items, with the same ids, as those that are streamed. */
function wholeItems(answer: WireAnswer, turn: number): readonly JsonRecord[] {
  const thoughts = piecesOf(answer.reasoning).join('')
  const text = piecesOf(answer.text).join('')
  const reasoning = {
    type: 'reasoning',
    encrypted_content: answer.signature ?? `encrypted-${turn}`,
    summary: [{ type: 'summary_text', text: thoughts }],
  }
  const message = {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', annotations: [], text }],
  }
  const said = [
    ...(thoughts === '' ? [] : [{ id: `rs_${turn}_0`, ...reasoning }]),
    ...(text === '' ? [] : [{ id: `msg_${turn}_${thoughts === '' ? 0 : 1}`, ...message }]),
  ]
  const calls = (answer.toolCalls ?? []).map((toolCall, call) => {
    const index = said.length + call
    const { id, name, input, customInput } = toolCall
    if (customInput !== undefined) return customItem(toolCall, { index, turn })
    return {
      id: `fc_${turn}_${index}`,
      type: 'function_call',
      call_id: id ?? `call_${turn}_${index}`,
      name,
      status: 'completed',
      arguments: JSON.stringify(input),
    }
  })
  return [...said, ...calls]
}
