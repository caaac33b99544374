import { randomUUID } from 'node:crypto'
import { tool } from '@langchain/core/tools'
import type { ToolRuntime } from '@langchain/core/tools'
import { AIMessage } from '@langchain/core/messages'
import type { BaseMessage } from '@langchain/core/messages'
import { findOverflow } from '@longhaul/models/overflow'
import { RECALL_TOOL, createHostControls, openHostSession, sendWithRoom } from '@longhaul/store/host'
import type { HostControls, HostOptions, HostSession } from '@longhaul/store/host'
import { createMiddleware } from 'langchain'
import { createAsk } from './create-ask.ts'
import { describeTool, modelIdOf, windowOf } from './describe-call.ts'
import { messageCodec } from './message-codec.ts'
import { readUsage } from './read-usage.ts'
import type { Billed } from './read-usage.ts'

export interface LonghaulMiddlewareOptions extends HostOptions {
  /** The name of the conversation. Left out: the `thread_id` of the call. */
  readonly sessionId?: string | undefined
}

/**
 * Keeps the conversations of a LangChain agent small enough for its model, however long they get. The agent's state keeps
 * every message; the model is sent a view of them.
 *
 * @example
 * const agent = createAgent({ model, tools, checkpointer, middleware: [longhaulMiddleware({ store: 'sessions.db' })] })
 * await agent.invoke({ messages }, { configurable: { thread_id: 'garden' } })
 */
export function longhaulMiddleware(options: LonghaulMiddlewareOptions = {}) {
  const { windowTokens, policy, ask, warn } = options
  const unnamed = randomUUID()

  function openSession({ id, isLasting }: Conversation): HostSession<BaseMessage> {
    return openHostSession<BaseMessage>({
      origin: 'langchain',
      sessionId: id,
      codec: messageCodec,
      store: isLasting ? options.store : undefined,
      policy,
      warn,
    })
  }

  function findSession(configurable: Configurable, messages: readonly BaseMessage[]): HostSession<BaseMessage> {
    const id = options.sessionId ?? nameOf(configurable)
    if (id !== null) return openSession({ id, isLasting: true })
    // The id of the first message: agents without a thread may serve several people, who must not meet in one session.
    return openSession({ id: messages[0]?.id ?? unnamed, isLasting: false })
  }

  const recall = tool(
    ({ query }, { configurable, state: { messages } }: ToolRuntime<{ messages: BaseMessage[] }>) =>
      findSession(configurable, messages).recall(query),
    { name: RECALL_TOOL.name, description: RECALL_TOOL.description, schema: RECALL_TOOL.inputSchema },
  )

  const middleware = createMiddleware({
    name: 'Longhaul',
    tools: [recall],
    async wrapModelCall(request, handler) {
      const { model, systemMessage, tools, runtime, state } = request
      const session = findSession(runtime.configurable, state.messages)
      const around = {
        windowTokens: windowTokens ?? windowOf(model),
        model: modelIdOf(model),
        ask: ask ?? createAsk(model),
        system: systemMessage.text,
        tools: tools.map(describeTool),
        signal: runtime.signal,
      }
      return sendWithRoom({
        fit: () => session.sync(request.messages, around),
        makeRoom: (error) => session.refused(findOverflow(error)),
        async send(messages) {
          const reply = await handler({ ...request, messages: [...messages] })
          session.bill(readUsage(answerOf(reply)))
          return reply
        },
      })
    },
  })
  return Object.assign(middleware, {
    /** Compact, undo, pins, sizes and entries of the conversation with this `thread_id`. */
    context: (threadId: string): HostControls => createHostControls(openSession({ id: threadId, isLasting: true })),
  })
}

interface Conversation {
  readonly id: string
  /** Found again by its name after a restart; otherwise it is kept in memory. */
  readonly isLasting: boolean
}

type Configurable = Readonly<Record<string, unknown>> | undefined

/** The thread, and the way to an agent that runs inside another graph, whose conversation is another one. */
function nameOf(configurable: Configurable): string | null {
  const { thread_id: thread, checkpoint_ns: place } = configurable ?? {}
  if (typeof thread !== 'string' || thread === '') return null
  const way = (typeof place === 'string' ? place : '').split('|').slice(0, -1)
  return [thread, ...way.map((step) => step.split(':', 1)[0])].join('/')
}

/** With a response format, LangChain hands the answer over inside another object. */
function answerOf(reply: AIMessage): Billed {
  if (AIMessage.isInstance(reply)) return reply
  const { messages } = reply as { readonly messages?: readonly BaseMessage[] }
  return messages?.find((message) => AIMessage.isInstance(message)) ?? {}
}
