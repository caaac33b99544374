import { keepOwnParts } from '@longhaul/engine'
import type { ContentPart, MirrorCodec, OwnPart, Part } from '@longhaul/engine'
import { textOf, toJsonObject } from '@longhaul/engine/advanced'

export type PiBlock =
  | { readonly type: 'text'; readonly text: string; readonly textSignature?: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly thinkingSignature?: string }
  | {
      readonly type: 'toolCall'
      readonly id: string
      readonly name: string
      readonly arguments: Readonly<Record<string, unknown>>
    }

/** A message of pi, and of OpenClaw, which is built on it. Extensions add roles of their own. */
export interface PiMessage {
  readonly role: string
  readonly content?: string | readonly PiBlock[]
  readonly timestamp?: number | string
  readonly stopReason?: string
  /** On tool results. */
  readonly toolCallId?: string
  readonly toolName?: string
  readonly isError?: boolean
  /** On summaries of compactions and of branches. */
  readonly summary?: string
  /** On shell commands of the user. */
  readonly command?: string
  readonly output?: string
  readonly exitCode?: number | undefined
  readonly excludeFromContext?: boolean
}

type Sealed = NonNullable<ReturnType<MirrorCodec<PiMessage>['read']>>

export interface PiMessageOptions<M> {
  /** Whether the host does not send the message, or it is not part of the conversation. */
  readonly isSkipped: (message: M) => boolean
  /** For a host that changes the ids of calls: the same for the same call. */
  readonly readCallId?: (id: string) => string
}

/** Reads messages as pi sends them, and writes those that Longhaul changes. */
export function createPiMessageCodec<M extends PiMessage>({
  isSkipped,
  readCallId = (id) => id,
}: PiMessageOptions<M>): MirrorCodec<M> {
  /** null: a block that only the host or the provider knows. */
  function readBlock(block: PiBlock): Part | null {
    switch (block.type) {
      case 'text':
        return { type: 'text', text: block.text }
      case 'image':
        return { type: 'image', image: block.data, mediaType: block.mimeType }
      case 'thinking':
        return { type: 'reasoning', text: block.thinking }
      case 'toolCall': {
        const { id, name, arguments: input } = block
        return { type: 'tool-call', toolCallId: readCallId(id), toolName: name, input: toJsonObject(input) }
      }
      default:
        block satisfies never
        return null
    }
  }

  function ownParts(message: M | null): readonly OwnPart<PiBlock>[] {
    const { content = '' } = message ?? {}
    const blocks: readonly PiBlock[] = typeof content === 'string' ? textBlocks(content) : content
    return blocks.map((host) => ({ host, read: readBlock(host) }))
  }

  /** null: there is nothing in it that anybody said, such as in an answer that failed at once. */
  function readAs(role: Sealed['role'], message: M): Sealed | null {
    const parts = ownParts(message).flatMap(({ read }) => read ?? [])
    return parts.length === 0 ? null : { role, parts }
  }

  function readResult(message: M): Part {
    const parts = ownParts(message).flatMap(({ read }) => (read !== null && isContent(read) ? [read] : []))
    const [first] = parts
    return {
      type: 'tool-result',
      toolCallId: readCallId(message.toolCallId ?? ''),
      toolName: message.toolName ?? '',
      output: parts.length === 1 && first?.type === 'text' ? first.text : parts,
      ...(message.isError === true ? { isError: true } : {}),
    }
  }

  function writeResult(parts: readonly Part[], original: M | null, timestamp: number | string): PiMessage {
    const result = parts.find((part) => part.type === 'tool-result')
    const { toolName = '', output = '', isError = false } = result ?? {}
    const toolCallId = original?.toolCallId ?? result?.toolCallId ?? ''
    const shown = typeof output === 'string' ? [{ type: 'text', text: output } as const] : output
    const content = keepOwnParts(ownParts(original), shown, writeBlock)
    return { ...original, role: 'toolResult', toolCallId, toolName, isError, content, timestamp }
  }

  return {
    read(message) {
      const { role } = message
      if (message.excludeFromContext === true || isSkipped(message)) return null
      if (role === 'toolResult') return { role: 'tool', parts: [readResult(message)] }
      if (role === 'user' || role === 'custom') return readAs('user', message)
      if (role === 'assistant') return readAs(role, message)
      const text = textOfSpecial(message)
      return text === null ? null : { role: 'user', parts: [{ type: 'text', text }] }
    },
    write({ role, parts }, original, { at }) {
      const timestamp = original?.timestamp ?? at
      if (role === 'tool') return writeResult(parts, original, timestamp) as M
      // A provider wants its signature back with reasoning, and only the host's own message has it.
      const shown = original === null ? parts.filter(({ type }) => type !== 'reasoning') : parts
      const content = keepOwnParts(ownParts(original), shown, writeBlock)
      if (role !== 'assistant') return { role: 'user', content, timestamp } as M & PiMessage
      return { ...(original ?? { ...NO_ANSWER, timestamp }), content } as M & PiMessage
    },
  }
}

const NO_TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 }
/** An answer needs an origin. Nobody's signatures are in one that Longhaul writes. */
const NO_ANSWER = {
  role: 'assistant',
  api: 'longhaul',
  provider: 'longhaul',
  model: 'longhaul',
  usage: { ...NO_TOKENS, cost: { ...NO_TOKENS, total: 0 } },
  stopReason: 'stop',
}

function textBlocks(text: string): readonly PiBlock[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'image'
}

/** The words in which messages of pi's own kinds are sent; null: they are not sent. */
function textOfSpecial({ role, summary, command, output = '', exitCode = 0 }: PiMessage): string | null {
  if (role === 'compactionSummary') return `The conversation before this point was compacted.\n\n${summary}`
  if (role === 'branchSummary') return `A summary of a branch that this conversation came back from.\n\n${summary}`
  return role === 'bashExecution' ? `Ran \`${command}\`\n${output}${exitCode === 0 ? '' : `\nCode ${exitCode}`}` : null
}

function writeBlock(part: Part, original: PiBlock | null): PiBlock {
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
      return { type: 'text', text: textOf(part) }
    default:
      return part satisfies never
  }
}
