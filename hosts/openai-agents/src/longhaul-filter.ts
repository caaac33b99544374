import { randomUUID } from 'node:crypto'
import type { Ask, ContextOptions, ToolSchema } from '@longhaul/engine'
import { textOf, toJsonObject } from '@longhaul/engine/advanced'
import { RECALL_TOOL, createHostControls, openHostSession } from '@longhaul/store/host'
import type { HostControls, HostSession, StoreChoice } from '@longhaul/store/host'
import { Runner, getDefaultModel, tool } from '@openai/agents'
import type { CallModelInputFilter, Model, ModelProvider, Tool } from '@openai/agents'
import { createAsk } from './create-ask.ts'
import { groupItems, isPartial } from './group-items.ts'
import type { ItemGroup } from './group-items.ts'
import { itemCodec } from './item-codec.ts'
import { createPreparedLists, wrapModel } from './wrap-model.ts'

export interface LonghaulFilterOptions {
  /** Left out: nobody knows the model's window. It is learned from the provider's first refusal. */
  readonly windowTokens?: number | undefined
  /** An SQLite file, a `postgres://` address or an open store. Left out: kept in memory. */
  readonly store?: StoreChoice | undefined
  /** The name of the conversation, or how the run's context tells it. Left out: a conversation that only this filter knows. */
  readonly sessionId?: string | ((context: unknown) => string) | undefined
  /** A preset's name, or keys that are laid over a preset. Default: `longhaul`. */
  readonly policy?: ContextOptions['policy'] | undefined
  /** Looks models up by name. Default: the SDK's default provider. */
  readonly modelProvider?: ModelProvider | undefined
  /** Writes the summaries. Default: the agent's model. */
  readonly ask?: Ask | undefined
  /** Called with what a person should know, each sentence once. Default: `console.warn`. */
  readonly warn?: ((message: string) => void) | undefined
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
  const { windowTokens, store, policy, ask, warn, sessionId = randomUUID() } = options
  const lists = createPreparedLists()
  const wrapped = new WeakSet<Model>()
  let isProviderAsked = false
  const provider = (): ModelProvider => options.modelProvider ?? new Runner().config.modelProvider
  const nameOf = (context: unknown): string => (typeof sessionId === 'string' ? sessionId : sessionId(context))

  function openSession(id: string): HostSession<ItemGroup> {
    const warning = warn === undefined ? {} : { warn }
    const call = { windowTokens: windowTokens ?? null, ...(ask === undefined ? {} : { ask }) }
    return openHostSession<ItemGroup>({
      origin: 'openai-agents',
      sessionId: id,
      codec: itemCodec,
      store,
      policy,
      ...call,
      ...warning,
    })
  }

  const filter: CallModelInputFilter = async ({ modelData, agent, context }) => {
    const { input, instructions = null } = modelData
    if (isPartial(input)) return modelData
    const session = openSession(nameOf(context))
    const { model } = agent
    const name = model === '' ? getDefaultModel() : model
    const around = {
      windowTokens: windowTokens ?? null,
      ask: ask ?? createAsk(async () => (typeof name === 'string' ? provider().getModel(name) : name)),
      system: instructions,
      tools: describeTools(agent.tools),
      ...(typeof name === 'string' ? { model: `openai/${name}` } : {}),
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

const described = new WeakMap<object, ToolSchema>()

/** The tools as they are measured: their descriptions are part of every request. */
function describeTools(tools: readonly Tool[]): readonly ToolSchema[] {
  return tools.map((each) => {
    const { name } = each
    const known = described.get(each)
    if (known !== undefined) return known
    const schema =
      each.type === 'function'
        ? { name, description: each.description, inputSchema: toJsonObject(each.parameters) }
        : { name, description: '', inputSchema: {} }
    described.set(each, schema)
    return schema
  })
}
