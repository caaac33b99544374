import type { ToolSchema } from '@longhaul/engine'
import { isRecord, readUsage, toJsonObject } from '@longhaul/engine/advanced'
import { findOverflow } from '@longhaul/models/overflow'
import { createHostControls, openHostSession } from '@longhaul/store/host'
import type { HostControls, HostOptions, HostSession } from '@longhaul/store/host'
import { parseMemoryRequestContext } from '@mastra/core/memory'
import type { Processor, ProcessLLMRequestArgs } from '@mastra/core/processors'
import { createAsk } from './create-ask.ts'
import { createRecallTool } from './create-recall-tool.ts'
import { promptCodec } from './prompt-codec.ts'
import type { PromptMessage } from './prompt-codec.ts'

export interface LonghaulProcessorOptions extends HostOptions {
  /** The name of the conversation. Default: the thread of Mastra's memory. */
  readonly sessionId?: string
}

type Hooks = 'processInputStep' | 'processLLMRequest' | 'processLLMResponse' | 'processAPIError'

export interface LonghaulProcessor extends Required<Pick<Processor, Hooks>> {
  readonly id: 'longhaul'
  readonly name: string
  /** For the agent's `tools`: the model finds with it what is no longer in view. */
  readonly tools: { readonly recall: ReturnType<typeof createRecallTool> }
  /** Compact, undo, pins and sizes of a conversation. Without a name: that of the option `sessionId`. */
  readonly context: (threadId?: string) => HostControls
}

/** Shared by the calls that belong to one request of the agent. */
interface RequestState {
  tools?: readonly ToolSchema[]
  session?: HostSession<PromptMessage>
}

/**
 * Keeps the prompts of a Mastra agent small enough for its model, however long its conversations get.
 *
 * @example
 * const longhaul = longhaulProcessor({ windowTokens: 200_000, store: 'sessions.db' })
 * new Agent({ …, inputProcessors: [longhaul], errorProcessors: [longhaul], tools: longhaul.tools, maxProcessorRetries: 2 })
 */
export function longhaulProcessor(options: LonghaulProcessorOptions = {}): LonghaulProcessor {
  const { sessionId, windowTokens = null, ask, warn = console.warn } = options
  let hasWarned = false

  function open(threadId: string | undefined): HostSession<PromptMessage> | null {
    const name = sessionId ?? threadId
    if (name === undefined) {
      if (!hasWarned) warn(`Longhaul: ${NO_NAME}`)
      hasWarned = true
      return null
    }
    const { store, policy } = options
    return openHostSession({ origin: 'mastra', sessionId: name, codec: promptCodec, store, policy, windowTokens, warn })
  }

  return {
    id: 'longhaul',
    name: 'Longhaul',
    tools: { recall: createRecallTool((threadId) => open(threadId)) },
    context(threadId) {
      const session = open(threadId)
      if (session === null) throw new Error(NO_NAME)
      return createHostControls(session)
    },
    processInputStep({ tools, state }) {
      ;(state as RequestState).tools = Object.entries(tools ?? {}).map(describeTool)
    },
    async processLLMRequest({ prompt, model, state, abortSignal, ...around }) {
      const session = open(findThread(around))
      if (session === null) return undefined
      const request = state as RequestState
      request.session = session
      const sent = await session.sync(prompt, {
        windowTokens,
        model: `${model.provider.split('.', 1)[0]}/${model.modelId}`,
        ask: ask ?? createAsk(model),
        tools: request.tools,
        signal: abortSignal,
      })
      return { prompt: [...sent] }
    },
    processLLMResponse({ chunks, state, fromCache }) {
      const { payload } = chunks.findLast(({ type }) => type === 'finish') ?? {}
      const usage = isRecord(payload) && isRecord(payload['output']) ? payload['output']['usage'] : null
      if (fromCache || !isRecord(usage)) return
      const { inputTokens: input, outputTokens: output, cachedInputTokens: cacheRead } = usage
      const bill = input === undefined ? undefined : readUsage({ input, output, cacheRead })
      if (bill !== undefined) (state as RequestState).session?.bill(bill)
    },
    async processAPIError({ error, state }) {
      const overflow = findOverflow(error)
      const { session } = state as RequestState
      if (overflow === null || session === undefined) return undefined
      return { retry: await session.refused(overflow) }
    },
  }
}

const NO_NAME =
  'this conversation has no name, so its messages are sent as they are. Call the agent with memory: { thread, resource }, or set sessionId.'

function findThread({
  requestContext,
  messageList,
}: Pick<ProcessLLMRequestArgs, 'requestContext' | 'messageList'>): string | undefined {
  const named = parseMemoryRequestContext(requestContext)?.thread?.id
  return named ?? messageList?.get.input.db().find(({ threadId }) => threadId !== undefined)?.threadId
}

function describeTool([name, tool]: [string, unknown]): ToolSchema {
  const { description, parameters } = isRecord(tool) ? tool : {}
  const schema = isRecord(parameters) && 'jsonSchema' in parameters ? parameters['jsonSchema'] : parameters
  return { name, description: String(description ?? ''), inputSchema: toJsonObject(schema) }
}
