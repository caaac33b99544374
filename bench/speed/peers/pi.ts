import type { Message, Part } from '@longhaul/engine/advanced'
import { loadPeer, textOfMessage } from './peer.ts'
import type { Peer } from './peer.ts'

interface PiEntry {
  readonly type: 'message'
  readonly id: string
  readonly parentId: string | null
  readonly timestamp: string
  readonly message: object
}

interface PiModule {
  estimateTokens(message: object): number
  findCutPoint(entries: readonly PiEntry[], start: number, end: number, keepRecentTokens: number): object
}

/** pi's own default. */
const KEEP_RECENT_TOKENS = 20_000

export async function createPiPeer(): Promise<Peer> {
  const pi = await loadPeer<PiModule>('@earendil-works/pi-coding-agent')
  return {
    name: 'pi',
    tasks: [
      {
        name: 'estimateTokens + findCutPoint',
        prepare(messages) {
          const entries = messages.map(toEntry)
          return () => {
            let tokens = 0
            for (const { message } of entries) tokens += pi.estimateTokens(message)
            return { tokens, cut: pi.findCutPoint(entries, 0, entries.length, KEEP_RECENT_TOKENS) }
          }
        },
      },
    ],
  }
}

function toEntry(message: Message, index: number): PiEntry {
  return {
    type: 'message',
    id: `m${index}`,
    parentId: index === 0 ? null : `m${index - 1}`,
    timestamp: new Date(1_700_000_000_000 + index * 10_000).toISOString(),
    message: toPi(message, 1_700_000_000_000 + index * 10_000),
  }
}

function toPi(message: Message, timestamp: number): object {
  const [first] = message.parts
  if (message.role === 'user')
    return { role: 'user', content: [{ type: 'text', text: textOfMessage(message) }], timestamp }
  if (message.role === 'assistant') {
    return { role: 'assistant', content: message.parts.flatMap(toBlock), stopReason: 'stop', timestamp }
  }
  if (first?.type !== 'tool-result') throw new Error('a tool message of the transcript holds one result')
  return {
    role: 'toolResult',
    toolCallId: first.toolCallId,
    toolName: first.toolName,
    content: [{ type: 'text', text: first.output }],
    isError: false,
    timestamp,
  }
}

function toBlock(part: Part): readonly object[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type !== 'tool-call') return []
  return [{ type: 'toolCall', id: part.toolCallId, name: part.toolName, arguments: part.input }]
}
