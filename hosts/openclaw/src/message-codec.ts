import { keepOwnParts } from '@longhaul/engine'
import type { ContentPart, MirrorCodec, OwnPart, Part, WrittenAbout } from '@longhaul/engine'
import { toJsonObject } from '@longhaul/engine/advanced'
import type { OpenClawBlock, OpenClawMessage } from './openclaw-api.ts'

type Sealed = NonNullable<ReturnType<MirrorCodec<OpenClawMessage>['read']>>

/** Reads the messages that OpenClaw sends to its model, and writes those that Longhaul changes. */
export const messageCodec: MirrorCodec<OpenClawMessage> = { read: readMessage, write: writeMessage }

/** null: OpenClaw does not send it, or it is not part of the conversation. */
export function readMessage(message: OpenClawMessage): Sealed | null {
  const { role, excludeFromContext, runtimeContextCarrier } = message
  // A carrier of runtime facts is OpenClaw's own, and may be another one at the next request.
  if (excludeFromContext === true || runtimeContextCarrier === true) return null
  if (role === 'toolResult') return { role: 'tool', parts: [readResult(message)] }
  if (role === 'user' || role === 'custom') return readAs('user', message)
  if (role === 'assistant') return readAs(role, message)
  const text = textOfSpecial(message)
  return text === null ? null : { role: 'user', parts: [{ type: 'text', text }] }
}

/** `original`: OpenClaw's own message, of which something is shown in another form. */
export function writeMessage(
  { role, parts }: Sealed,
  original: OpenClawMessage | null,
  { at }: WrittenAbout,
): OpenClawMessage {
  const timestamp = original?.timestamp ?? at
  if (role === 'tool') return writeResult(parts, original, timestamp)
  // A provider wants its signature back with reasoning, and only OpenClaw's own message has it.
  const shown = original === null ? parts.filter(({ type }) => type !== 'reasoning') : parts
  const content = keepOwnParts(ownPartsOf(original), shown, writePart)
  if (role === 'user') return { role, content, timestamp }
  return original === null ? { ...NO_ANSWER, content, timestamp } : { ...original, content }
}

const NO_TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 }
/** OpenClaw requires the origin of an answer. Nobody's signatures are in one that Longhaul writes. */
const NO_ANSWER = {
  role: 'assistant',
  api: 'longhaul',
  provider: 'longhaul',
  model: 'longhaul',
  usage: { ...NO_TOKENS, cost: { ...NO_TOKENS, total: 0 } },
  stopReason: 'stop',
}

/** null: there is nothing in it that anybody said, such as in an answer that failed at once. */
function readAs(role: Sealed['role'], message: OpenClawMessage): Sealed | null {
  const parts = ownPartsOf(message).flatMap(({ read }) => (read === null ? [] : [read]))
  return parts.length === 0 ? null : { role, parts }
}

function ownPartsOf(message: OpenClawMessage | null): readonly OwnPart<OpenClawBlock>[] {
  const { content = [] } = message ?? {}
  if (typeof content === 'string') {
    if (content === '') return []
    const text = { type: 'text', text: content } as const
    return [{ host: text, read: text }]
  }
  return Array.isArray(content)
    ? (content as readonly OpenClawBlock[]).map((host) => ({ host, read: readBlock(host) }))
    : []
}

/** null: a block that only OpenClaw or the provider knows. */
function readBlock(block: OpenClawBlock): Part | null {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return { type: 'image', image: block.data, mediaType: block.mimeType }
    case 'thinking':
      return { type: 'reasoning', text: block.thinking }
    case 'toolCall':
      return {
        type: 'tool-call',
        toolCallId: readCallId(block.id),
        toolName: block.name,
        input: toJsonObject(block.arguments),
      }
    default:
      block satisfies never
      return null
  }
}

function readResult(message: OpenClawMessage): Part {
  const parts = ownPartsOf(message).flatMap(({ read }) => (read !== null && isContent(read) ? [read] : []))
  const [first] = parts
  return {
    type: 'tool-result',
    toolCallId: readCallId(message.toolCallId),
    toolName: String(message.toolName),
    output: parts.length === 1 && first?.type === 'text' ? first.text : parts,
    ...(message.isError === true ? { isError: true } : {}),
  }
}

/**
 * A turn that has just ended has the ids that the provider gave; in later turns OpenClaw leaves letters and digits of them.
 * Both must be the same call.
 */
function readCallId(id: unknown): string {
  return String(id).replaceAll(/[^a-zA-Z0-9]/g, '')
}

function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'image'
}

/** The words in which OpenClaw sends messages of its own kinds; null: it does not send them. */
function textOfSpecial({ role, summary, command, output }: OpenClawMessage): string | null {
  if (role === 'compactionSummary' || role === 'branchSummary') return String(summary)
  return role === 'bashExecution' ? `Ran \`${String(command)}\`\n${String(output)}` : null
}

function writeResult(
  parts: readonly Part[],
  original: OpenClawMessage | null,
  timestamp: number | string,
): OpenClawMessage {
  const result = parts.find((part) => part.type === 'tool-result')
  const { toolName = '', output = '', isError = false } = result ?? {}
  const toolCallId = original?.toolCallId ?? result?.toolCallId ?? ''
  const shown = typeof output === 'string' ? [{ type: 'text', text: output } as const] : output
  const content = keepOwnParts(ownPartsOf(original), shown, writePart)
  return { ...original, role: 'toolResult', toolCallId, toolName, isError, content, timestamp }
}

function writePart(part: Part, original: OpenClawBlock | null): OpenClawBlock {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text }
    case 'image':
      return { type: 'image', data: part.image, mimeType: part.mediaType ?? 'image/png' }
    case 'tool-call':
      if (original?.type === 'toolCall') return { ...original, arguments: part.input }
      return { type: 'toolCall', id: part.toolCallId, name: part.toolName, arguments: part.input }
    case 'file':
    case 'tool-result':
      return { type: 'text', text: '' }
    default:
      part satisfies never
      return { type: 'text', text: '' }
  }
}
