import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import type { BaseMessage, MessageContent } from '@langchain/core/messages'
import { keepOwnParts } from '@longhaul/engine'
import type { ContentPart, MirrorCodec, OwnPart, Part, ToolOutput } from '@longhaul/engine'
import { isRecord, textOf, toJsonObject } from '@longhaul/engine/advanced'
import { isAddress, readBlock, readContent, readReasoning, toAddress } from '@longhaul/store/host'
import type { Block } from '@longhaul/store/host'

type ToolCall = NonNullable<AIMessage['tool_calls']>[number]
type InvalidToolCall = NonNullable<AIMessage['invalid_tool_calls']>[number]

/** A piece of a message, and the field in which LangChain keeps it. */
type Piece =
  | { readonly at: 'content'; readonly block: Block }
  | { readonly at: 'calls'; readonly call: ToolCall }
  | { readonly at: 'invalid'; readonly call: InvalidToolCall }
  | { readonly at: 'reasoning' }

type ReadMessage = NonNullable<ReturnType<MirrorCodec<BaseMessage>['read']>>

const ROLES: Readonly<Record<string, ReadMessage['role']>> = {
  system: 'system',
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
}

/** Reads messages of LangChain, and writes those that its models take. */
export const messageCodec: MirrorCodec<BaseMessage> = {
  read(message) {
    const role = ROLES[message.type]
    if (role === undefined) return null
    if (ToolMessage.isInstance(message)) return { role, parts: [readResult(message)] }
    const parts = ownParts(message).flatMap(({ read }) => read ?? [])
    return parts.length === 0 ? null : { role, parts }
  },
  write({ role, parts }, original) {
    const fields = original === null ? {} : fieldsOf(original)
    if (role === 'tool') return writeResult(parts, fields)
    const pieces = keepOwnParts(original === null ? [] : ownParts(original), parts, writePiece)
    if (role === 'assistant') return writeAnswer(pieces, fields)
    const content = writeContent(pieces)
    return role === 'system' ? new SystemMessage({ ...fields, content }) : new HumanMessage({ ...fields, content })
  },
  dataOf(message) {
    const { tool_calls, invalid_tool_calls, tool_call_id, status } = message as Partial<AIMessage & ToolMessage>
    const { type, name, content, additional_kwargs } = message
    const { reasoning } = additional_kwargs
    return [type, name, content, tool_calls, invalid_tool_calls, tool_call_id, status, reasoning]
  },
  divide: (message) =>
    message.role === 'tool' ? message.parts.map((part) => ({ role: 'tool', parts: [part] })) : [message],
}

function ownParts(message: BaseMessage): readonly OwnPart<Piece>[] {
  const content = blocksOf(message.content).map((block): OwnPart<Piece> => ({
    host: { at: 'content', block },
    read: readBlock(block),
  }))
  if (!AIMessage.isInstance(message)) return content
  const { reasoning } = message.additional_kwargs
  const thought: OwnPart<Piece>[] = isRecord(reasoning)
    ? [{ host: { at: 'reasoning' }, read: { type: 'reasoning', text: readReasoning(reasoning) } }]
    : []
  const calls = (message.tool_calls ?? []).map((call): OwnPart<Piece> => {
    const names = { toolCallId: call.id ?? '', toolName: call.name }
    return { host: { at: 'calls', call }, read: { type: 'tool-call', ...names, input: toJsonObject(call.args) } }
  })
  // LangChain answers no call that it could not parse, so it is read as words.
  const invalid = (message.invalid_tool_calls ?? []).map((call): OwnPart<Piece> => ({
    host: { at: 'invalid', call },
    read: { type: 'text', text: `${call.name ?? ''}(${call.args ?? ''})` },
  }))
  return [...thought, ...content, ...calls, ...invalid]
}

function blocksOf(content: MessageContent): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return content.map((block: unknown) => (isRecord(block) ? block : { type: 'text', text: textOf(block) }))
}

function readResult({ content, name, status, tool_call_id: toolCallId }: ToolMessage): Part {
  const output: ToolOutput = typeof content === 'string' ? content : blocksOf(content).map(readContent)
  const isError = status === 'error' ? { isError: true } : {}
  return { type: 'tool-result', toolCallId, toolName: name ?? 'unknown', output, ...isError }
}

/** All that a message has beside its content. What was cut from the content may stand there too, in the provider's own words. */
function fieldsOf(message: BaseMessage) {
  const { id, name, additional_kwargs, response_metadata } = message
  const { tool_calls: _, ...kwargs } = additional_kwargs
  const { output: __, ...metadata } = response_metadata
  return {
    additional_kwargs: kwargs,
    response_metadata: metadata,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(AIMessage.isInstance(message) ? { usage_metadata: message.usage_metadata } : {}),
    ...(ToolMessage.isInstance(message) ? { artifact: message.artifact as unknown, metadata: message.metadata } : {}),
  }
}

type Fields = Partial<ReturnType<typeof fieldsOf>>

function writeResult(parts: readonly Part[], { metadata, ...fields }: Fields): ToolMessage {
  const [part] = parts
  if (part?.type !== 'tool-result') throw new TypeError('A tool message without a result cannot be written.')
  const { toolCallId, toolName, output, isError = false } = part
  return new ToolMessage({
    ...fields,
    ...(metadata === undefined ? {} : { metadata }),
    name: toolName,
    tool_call_id: toolCallId,
    status: isError ? 'error' : 'success',
    content: typeof output === 'string' ? output : (output.map(writeBlock) as MessageContent),
  })
}

function writePiece(part: Part, original: Piece | null): Piece {
  if (part.type === 'tool-call') {
    const call = { id: part.toolCallId, name: part.toolName, args: part.input }
    return {
      at: 'calls',
      call: original?.at === 'calls' ? { ...original.call, ...call } : { ...call, type: 'tool_call' },
    }
  }
  // Nobody but its provider can write a thought: without the original, it is left out.
  if (part.type === 'reasoning') return original ?? { at: 'reasoning' }
  if (part.type === 'tool-result') return { at: 'content', block: { type: 'text', text: textOf(part.output) } }
  return { at: 'content', block: writeBlock(part) }
}

function writeAnswer(pieces: readonly Piece[], { additional_kwargs = {}, ...fields }: Fields): AIMessage {
  const calls = pieces.flatMap((piece) => (piece.at === 'calls' ? [piece.call] : []))
  const { reasoning, ...kwargs } = additional_kwargs
  const isThoughtKept = reasoning !== undefined && pieces.some(({ at }) => at === 'reasoning')
  const { usage_metadata, ...rest } = fields
  return new AIMessage({
    ...rest,
    ...(usage_metadata === undefined ? {} : { usage_metadata }),
    additional_kwargs: isThoughtKept ? additional_kwargs : kwargs,
    content: writeContent(pieces, calls),
    tool_calls: calls,
    invalid_tool_calls: pieces.flatMap((piece) => (piece.at === 'invalid' ? [piece.call] : [])),
  })
}

/** Models read a call from `tool_calls` or from its block: both say the same. */
function writeContent(pieces: readonly Piece[], calls: readonly ToolCall[] = []): MessageContent {
  const blocks = pieces.flatMap((piece) => {
    if (piece.at !== 'content') return []
    const { block } = piece
    const call = calls.find(({ id }) => id !== undefined && id === block['id'])
    if (call === undefined) return [block]
    const field = ['input', 'args'].find((name) => isRecord(block[name]))
    return [field === undefined ? block : { ...block, [field]: call.args }]
  })
  const [only] = blocks
  if (only === undefined) return ''
  const isPlain = blocks.length === 1 && only['type'] === 'text' && Object.keys(only).length === 2
  return isPlain ? textOf(only['text']) : (blocks as unknown as MessageContent)
}

/** A block that every model of LangChain reads. */
function writeBlock(part: ContentPart): Block {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image_url', image_url: { url: toAddress(part.image, part.mediaType ?? 'image/png') } }
    case 'file': {
      const { data, mediaType } = part
      const carried = isAddress(data) ? { source_type: 'url', url: data } : { source_type: 'base64', data }
      return { type: 'file', mime_type: mediaType, ...carried }
    }
    default:
      return part satisfies never
  }
}
