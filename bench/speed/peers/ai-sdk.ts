import type { Message, Part } from '@longhaul/engine/advanced'
import { loadPeer } from './peer.ts'
import type { Peer } from './peer.ts'

interface AiModule {
  pruneMessages(options: {
    readonly messages: readonly object[]
    readonly reasoning: 'before-last-message'
    readonly toolCalls: 'before-last-2-messages'
    readonly emptyMessages: 'remove'
  }): readonly object[]
}

export async function createAiSdkPeer(): Promise<Peer> {
  const ai = await loadPeer<AiModule>('ai')
  return {
    name: 'AI SDK',
    tasks: [
      {
        name: 'pruneMessages (counts nothing)',
        prepare(messages) {
          const converted = messages.map(toModelMessage)
          return () =>
            ai.pruneMessages({
              messages: converted,
              reasoning: 'before-last-message',
              toolCalls: 'before-last-2-messages',
              emptyMessages: 'remove',
            })
        },
      },
    ],
  }
}

function toModelMessage({ role, parts }: Message): object {
  return { role, content: parts.map(toContent) }
}

function toContent(part: Part): object {
  if (part.type !== 'tool-result') return part
  const { toolCallId, toolName, output } = part
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: output } }
}
