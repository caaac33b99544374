import { keepOwnParts } from '@longhaul/engine'
import type { ContentPart, MirrorCodec, Part } from '@longhaul/engine'
import type { PiBlock, PiMessage } from './pi-api.ts'

type Sealed = NonNullable<ReturnType<MirrorCodec<PiMessage>['read']>>

/** Reads pi's messages as pi itself sends them, and writes those that Longhaul changes. */
export const piCodec: MirrorCodec<PiMessage> = {
  read(message) {
    const { role, stopReason, excludeFromContext } = message
    if (excludeFromContext === true) return null
    // pi never sends an answer that broke off.
    if (role === 'assistant') return stopReason === 'error' || stopReason === 'aborted' ? null : readAs(role, message)
    if (role === 'toolResult') return { role: 'tool', parts: [readResult(message)] }
    if (role === 'user' || role === 'custom') return readAs('user', message)
    const text = textOfSpecial(message)
    return text === null ? null : { role: 'user', parts: [{ type: 'text', text }] }
  },
  write({ role, parts }, original, { at }) {
    const timestamp = original?.timestamp ?? at
    if (role === 'tool') return writeResult(parts, original, timestamp)
    const content = writeBlocks(parts, original)
    if (role !== 'assistant') return { role: 'user', content, timestamp }
    return original === null ? { ...NO_ANSWER, content, timestamp } : { ...original, content }
  },
}

const NO_TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 }
/** pi requires the origin of an answer. Nobody's signatures are in one that Longhaul writes. */
const NO_ANSWER = {
  role: 'assistant',
  api: 'longhaul',
  provider: 'longhaul',
  model: 'longhaul',
  usage: { ...NO_TOKENS, cost: { ...NO_TOKENS, total: 0 } },
  stopReason: 'stop',
}

function readAs(role: Sealed['role'], { content = [] }: PiMessage): Sealed | null {
  const blocks: readonly PiBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const parts = blocks.flatMap((block) => readBlock(block) ?? [])
  return parts.length === 0 ? null : { role, parts }
}

/** null: a block of a kind that is not known here. It stays in pi's own message. */
function readBlock(block: PiBlock): Part | null {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return { type: 'image', image: block.data, mediaType: block.mimeType }
    case 'thinking':
      return { type: 'reasoning', text: block.thinking }
    case 'toolCall':
      return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.arguments }
    default:
      block satisfies never
      return null
  }
}

function readResult(message: PiMessage): Part {
  const { parts: read = [] } = readAs('tool', message) ?? {}
  const parts = read.filter((part): part is ContentPart => part.type !== 'reasoning')
  const [first] = parts
  return {
    type: 'tool-result',
    toolCallId: message.toolCallId ?? '',
    toolName: message.toolName ?? '',
    output: parts.length === 1 && first?.type === 'text' ? first.text : parts,
    ...(message.isError === true ? { isError: true } : {}),
  }
}

/** The words in which pi sends messages of its own kinds; null: it does not send them. */
function textOfSpecial({ role, summary, command, output, exitCode }: PiMessage): string | null {
  if (role === 'compactionSummary') return `The conversation before this point was compacted.\n\n${summary}`
  if (role === 'branchSummary') return `A summary of a branch that this conversation came back from.\n\n${summary}`
  if (role !== 'bashExecution') return null
  return `Ran \`${command}\`\n${output ?? ''}${exitCode === undefined || exitCode === 0 ? '' : `\nCode ${exitCode}`}`
}

function writeResult(parts: readonly Part[], original: PiMessage | null, timestamp: number): PiMessage {
  const result = parts.find((part) => part.type === 'tool-result')
  const { toolCallId = '', toolName = '', output = '', isError = false } = result ?? {}
  const shown: readonly Part[] = typeof output === 'string' ? [{ type: 'text', text: output }] : output
  const content = writeBlocks(shown, original)
  return { ...original, role: 'toolResult', toolCallId, toolName, isError, content, timestamp }
}

/** A block that is shown as pi has it is pi's own object: it may carry a signature. */
function writeBlocks(parts: readonly Part[], original: PiMessage | null): readonly PiBlock[] {
  const content = original?.content ?? []
  const blocks: readonly PiBlock[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const own = blocks.map((host) => ({ host, read: readBlock(host) }))
  const writable = parts.filter(({ type }) => type !== 'file' && type !== 'tool-result')
  return keepOwnParts<PiBlock>(own, writable, writeBlock)
}

function writeBlock(part: Part): PiBlock {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text }
    case 'image':
      return { type: 'image', data: part.image, mimeType: part.mediaType ?? 'image/png' }
    case 'tool-call':
      return { type: 'toolCall', id: part.toolCallId, name: part.toolName, arguments: part.input }
    case 'file':
    case 'tool-result':
      throw new TypeError(`pi has no block for a part of the type ${part.type}.`)
    default:
      return part satisfies never
  }
}
