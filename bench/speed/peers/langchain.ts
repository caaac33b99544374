import type { Message } from '@longhaul/engine/advanced'
import { loadPeer, textOfMessage } from './peer.ts'
import type { Peer } from './peer.ts'

type MessageClass = new (fields: object) => object
type TokenCounter = (messages: readonly object[]) => number

interface LangChainModule {
  readonly HumanMessage: MessageClass
  readonly AIMessage: MessageClass
  readonly ToolMessage: MessageClass
  readonly countTokensApproximately: TokenCounter
  trimMessages(
    messages: readonly object[],
    options: { readonly maxTokens: number; readonly strategy: 'last'; readonly tokenCounter: TokenCounter },
  ): Promise<readonly object[]>
}

/** Where Longhaul compacts a window of 200,000. */
const MAX_TOKENS = 160_000

export async function createLangChainPeer(): Promise<Peer> {
  const langChain = await loadPeer<LangChainModule>('langchain')
  const { countTokensApproximately: tokenCounter } = langChain
  return {
    name: 'LangChain',
    tasks: [
      {
        name: 'countTokensApproximately (cuts nothing)',
        prepare(messages) {
          const converted = messages.map((message) => toLangChain(message, langChain))
          return () => tokenCounter(converted)
        },
      },
      {
        name: 'trimMessages with that counter',
        prepare(messages) {
          const converted = messages.map((message) => toLangChain(message, langChain))
          return () => langChain.trimMessages(converted, { maxTokens: MAX_TOKENS, strategy: 'last', tokenCounter })
        },
      },
    ],
  }
}

function toLangChain(message: Message, { HumanMessage, AIMessage, ToolMessage }: LangChainModule): object {
  if (message.role === 'user') return new HumanMessage({ content: textOfMessage(message) })
  if (message.role === 'assistant') {
    const calls = message.parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
    return new AIMessage({
      content: textOfMessage(message),
      tool_calls: calls.map(({ toolCallId, toolName, input }) => ({
        id: toolCallId,
        name: toolName,
        args: input,
        type: 'tool_call',
      })),
    })
  }
  const [first] = message.parts
  if (first?.type !== 'tool-result') throw new Error('a tool message of the transcript holds one result')
  return new ToolMessage({ content: first.output, tool_call_id: first.toolCallId, name: first.toolName })
}
