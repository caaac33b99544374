import { randomUUID } from 'node:crypto'
import type { ToolSchema } from '@longhaul/engine'
import { remember, textOf, toJsonObject } from '@longhaul/engine/advanced'
import { RECALL_TOOL, createHostControls, openHostSession } from '@longhaul/store/host'
import type { HostControls, HostOptions, HostSession } from '@longhaul/store/host'
import { Runner, getDefaultModel, tool } from '@openai/agents'
import type { CallModelInputFilter, Model, ModelProvider, Tool } from '@openai/agents'
import { createAsk } from './create-ask.ts'
import { groupItems, isPartial } from './group-items.ts'
import type { ItemGroup } from './group-items.ts'
import { itemCodec } from './item-codec.ts'
import { createPreparedLists, wrapModel } from './wrap-model.ts'

export interface LonghaulFilterOptions extends HostOptions {
  /** The name of the conversation, or how the run's context tells it. Left out: a conversation that only this filter knows. */
  readonly sessionId?: string | ((context: unknown) => string) | undefined
  /** Looks models up by name. Default: the SDK's default provider. */
  readonly modelProvider?: ModelProvider | undefined
}

export interface LonghaulFilter extends CallModelInputFilter {
  /** The SDK hands over its own items, so that they are known again and sent as they are. */
  readonly preserveInputIdentity: true
  /** Models that learn from refusals and bills. For `modelProvider` of a Runner. */
  readonly provider: ModelProvider
  /** The same for a model that an agent has as an object. */
  readonly wrap: (model: Model) => Model
  /** Finds messages that are no longer in view. For `tools` of an agent. */
  readonly recall: ReturnType<typeof createRecallTool>
  /** Compact, undo, pins, sizes and entries of a conversation. Without a name: of the one that `sessionId` names. */
  readonly context: (sessionId?: string) => HostControls
}

/**
 * Keeps the conversations of agents small enough for their model, however long they get. The SDK's session keeps every
 * item; the model is sent a view of them.
 *
 * @example
 * const longhaul = longhaulFilter({ windowTokens: 400_000, sessionId: 'garden', store: 'sessions.db' })
 * const runner = new Runner({ callModelInputFilter: longhaul, modelProvider: longhaul.provider })
 */
export function longhaulFilter(options: LonghaulFilterOptions = {}): LonghaulFilter {
  const { windowTokens = null, store, policy, ask, warn, sessionId = randomUUID() } = options
  const lists = createPreparedLists()
  const wrapped = new WeakSet<Model>()
  let isProviderAsked = false
  const provider = (): ModelProvider => options.modelProvider ?? new Runner().config.modelProvider
  const nameOf = (context: unknown): string => (typeof sessionId === 'string' ? sessionId : sessionId(context))

  function openSession(name: string): HostSession<ItemGroup> {
    const call = { windowTokens, ask, store, policy, warn }
    return openHostSession<ItemGroup>({ origin: 'openai-agents', sessionId: name, codec: itemCodec, ...call })
  }

  const filter: CallModelInputFilter = async ({ modelData, agent, context }) => {
    const { input, instructions = null } = modelData
    if (isPartial(input)) return modelData
    const session = openSession(nameOf(context))
    const { model } = agent
    const name = model === '' ? getDefaultModel() : model
    const around = {
      windowTokens,
      ask: ask ?? createAsk(async () => (typeof name === 'string' ? provider().getModel(name) : name)),
      system: instructions,
      tools: agent.tools.map(describeTool),
      model: typeof name === 'string' ? `openai/${name}` : undefined,
    }
    const list = groupItems(input)
    // The SDK stores a message that a filter adds. A wrapped model adds it later, where nobody stores it.
    const isWrapped = typeof model === 'string' ? isProviderAsked : wrapped.has(model)
    const isLeftToModel = isWrapped && !lists.isWaiting(session)
    const groups = await session.sync(list, around)
    const sent = groups === list ? input : groups.flatMap(({ items }) => items)
    const given = isLeftToModel ? input : sent
    lists.add({ session, list, around, given, sent })
    return { ...modelData, input: given }
  }

  function wrap(model: Model): Model {
    const wrapper = wrapModel(model, lists)
    wrapped.add(wrapper)
    return wrapper
  }

  return Object.assign(filter, {
    preserveInputIdentity: true as const,
    provider: {
      async getModel(name?: string) {
        isProviderAsked = true
        return wrap(await provider().getModel(name))
      },
    },
    wrap,
    recall: createRecallTool((context) => openSession(nameOf(context))),
    context: (id?: string) => createHostControls(openSession(id ?? nameOf(undefined))),
  })
}

function createRecallTool(findSession: (context: unknown) => HostSession<ItemGroup>) {
  const { name, description, inputSchema } = RECALL_TOOL
  return tool({
    name,
    description,
    parameters: { ...inputSchema, required: [...inputSchema.required] },
    strict: true,
    execute: (input, run) => findSession(run?.context).recall(textOf((input as { readonly query?: unknown }).query)),
  })
}

/** A tool as it is measured: its description is part of every request. */
const describeTool = remember((each: Tool): ToolSchema => {
  if (each.type !== 'function') return { name: each.name, description: '', inputSchema: {} }
  return { name: each.name, description: each.description, inputSchema: toJsonObject(each.parameters) }
})
