import { isRecord } from '@longhaul/engine/advanced'
import { findUnpaired } from './find-unpaired.ts'
import { recordsIn, stringIn } from './read-json.ts'
import type { JsonRecord } from './read-json.ts'
import { frame } from './sse-frame.ts'
import { piecesOf } from './wire-reply.ts'
import type { WireAnswer, WireFinish } from './wire-reply.ts'
import type { WireMessage } from './wire-request.ts'
import type { Wire, WireContext, WireHttpError } from './wire.ts'

const FINISH_REASONS: Readonly<Record<WireFinish, string>> = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  'window-exceeded': 'MAX_TOKENS',
}

/** Gemini: each event is a whole response with the next parts; tool calls are never cut. */
export const googleWire: Wire = {
  name: 'google',
  accepts: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  modelOf: (_, path) => /([^/]+):(?:streamG|g)enerateContent$/.exec(path)?.[1] ?? '',
  isStreamed: (_, path) => path.endsWith(':streamGenerateContent'),
  promptOf: (body) => [body['systemInstruction'], body['tools'], body['contents']],
  maxOutputOf(body) {
    const config = body['generationConfig']
    return isRecord(config) && typeof config['maxOutputTokens'] === 'number' ? config['maxOutputTokens'] : null
  },
  readMessages: (body) => [
    ...recordsIn([body['systemInstruction']]).map((content) => readContent(content, 'system')),
    ...recordsIn(body['contents']).map((content) =>
      readContent(content, content['role'] === 'model' ? 'assistant' : 'user'),
    ),
  ],
  keyOf: (headers) => headers['x-goog-api-key'] ?? null,
  findInvalid(body, messages) {
    if (recordsIn(body['contents']).length === 0)
      return invalid('* GenerateContentRequest.contents: contents is not specified\n')
    const { unanswered, orphans } = findUnpaired(messages)
    if (unanswered.length === 0 && orphans.length === 0) return null
    return invalid(
      'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    )
  },
  wrongKey: () =>
    invalid('API key not valid. Please pass a valid API key.', [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'API_KEY_INVALID',
        domain: 'googleapis.com',
        metadata: { service: 'generativelanguage.googleapis.com' },
      },
    ]),
  overflow: ({ inputTokens, windowTokens }) =>
    invalid(`The input token count (${inputTokens}) exceeds the maximum number of tokens allowed (${windowTokens}).`),
  encode(answer, context) {
    const chunk = (part: JsonRecord, finish?: WireFinish): string => frame(encodeResponse([part], context, finish))
    const { parts, last } = encodeParts(answer, context.turn)
    return { opening: [], pieces: parts.map((part) => chunk(part)), closing: [chunk(last, context.finish)] }
  },
  encodeWhole(answer, context) {
    const { parts, last } = encodeParts(answer, context.turn)
    return encodeResponse([...parts, last], context, context.finish)
  },
  encodeError: ({ type, message, status }) => frame({ error: { code: status ?? 500, message, status: type } }),
}

function encodeResponse(
  parts: readonly JsonRecord[],
  { model, usage, turn }: WireContext,
  finish: WireFinish | undefined,
): JsonRecord {
  const finishReason = finish === undefined ? {} : { finishReason: FINISH_REASONS[finish] }
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...finishReason }],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output - usage.reasoning,
      totalTokenCount: usage.input + usage.output,
      ...(usage.cacheRead > 0 ? { cachedContentTokenCount: usage.cacheRead } : {}),
      ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
    },
    modelVersion: model,
    responseId: `response-${turn}`,
  }
}

/** The signature of the thoughts stands on the first call, or else on the last part, which holds no text. */
function encodeParts(
  answer: WireAnswer,
  turn: number,
): { readonly parts: readonly JsonRecord[]; readonly last: JsonRecord } {
  const thoughts = piecesOf(answer.reasoning)
  const signed = thoughts.length === 0 ? {} : { thoughtSignature: answer.signature ?? `signature-${turn}` }
  const calls = (answer.toolCalls ?? []).map(({ id, name, input }, index) => ({
    functionCall: { ...(id === undefined ? {} : { id }), name, args: input },
    ...(index === 0 ? signed : {}),
  }))
  const parts = [
    ...thoughts.map((text) => ({ text, thought: true })),
    ...piecesOf(answer.text).map((text) => ({ text })),
    ...calls,
  ]
  return { parts, last: { text: '', ...(calls.length === 0 ? signed : {}) } }
}

/** Calls may come without ids; then a call and its result are told by name and order. */
function readContent(content: JsonRecord, role: WireMessage['role']): WireMessage {
  const parts = recordsIn(content['parts'])
  const seen = new Map<string, number>()
  const idsOf = (key: string): readonly string[] =>
    parts
      .map((part) => part[key])
      .filter(isRecord)
      .map((call) => {
        const name = stringIn(call, 'name')
        const count = (seen.get(key + name) ?? 0) + 1
        seen.set(key + name, count)
        return `${name}#${count}`
      })
  return {
    role,
    text: parts
      .filter((part) => part['thought'] !== true)
      .map((part) => stringIn(part, 'text'))
      .filter((text) => text !== '')
      .join('\n'),
    callIds: idsOf('functionCall'),
    resultIds: idsOf('functionResponse'),
  }
}

function invalid(message: string, details?: readonly JsonRecord[]): WireHttpError {
  const error = { code: 400, message, status: 'INVALID_ARGUMENT', ...(details === undefined ? {} : { details }) }
  return { status: 400, body: { error } }
}
