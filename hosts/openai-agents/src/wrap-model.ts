import { isDeepStrictEqual } from 'node:util'
import { findOverflow } from '@longhaul/models/overflow'
import { openStream, sendWithRoom } from '@longhaul/store/host'
import type { HostSession, HostSyncOptions } from '@longhaul/store/host'
import type { AgentInputItem, Model, ModelRequest, StreamEvent } from '@openai/agents'
import type { ItemGroup } from './group-items.ts'
import { readUsage } from './read-usage.ts'
import type { Billed } from './read-usage.ts'

/** A list that the filter has seen. */
interface PreparedList {
  readonly session: HostSession<ItemGroup>
  readonly list: readonly ItemGroup[]
  readonly around: HostSyncOptions
  /** The items that the filter gave back to the SDK. */
  readonly given: readonly AgentInputItem[]
  /** The items for the model. */
  readonly sent: readonly AgentInputItem[]
}

/** The newest list of each session. A model is not told whose list it is given, so it is known by its items. */
export interface PreparedLists {
  readonly add: (prepared: PreparedList) => void
  readonly find: (request: ModelRequest) => PreparedList | null
  /** The session's newest list has not come to a wrapped model. */
  readonly isWaiting: (session: HostSession<ItemGroup>) => boolean
}

const MAX_LISTS = 100

export function createPreparedLists(): PreparedLists {
  const lists = new Map<string, PreparedList>()
  const found = new WeakSet<PreparedList>()
  return {
    add(prepared) {
      lists.delete(prepared.session.id)
      lists.set(prepared.session.id, prepared)
      const [oldest] = lists.keys()
      if (lists.size > MAX_LISTS && oldest !== undefined) lists.delete(oldest)
    },
    find({ input, previousResponseId, conversationId }) {
      if (typeof input === 'string' || previousResponseId !== undefined || conversationId !== undefined) return null
      const alike = [...lists.values()].filter(
        ({ given }) =>
          given.length === input.length &&
          isDeepStrictEqual(given.at(-1), input.at(-1)) &&
          isDeepStrictEqual(given[0], input[0]),
      )
      const prepared = alike.length < 2 ? alike[0] : alike.find(({ given }) => isDeepStrictEqual(given, input))
      if (prepared !== undefined) found.add(prepared)
      return prepared ?? null
    },
    isWaiting({ id }) {
      const prepared = lists.get(id)
      return prepared !== undefined && !found.has(prepared)
    },
  }
}

/** A model that no list is too long for: it makes room and asks again where the provider refuses one, and tells what was billed. */
export function wrapModel(model: Model, lists: PreparedLists): Model {
  function send<T>(request: ModelRequest, attempt: (fitting: ModelRequest, bill: Bill) => Promise<T>): Promise<T> {
    const prepared = lists.find(request)
    if (prepared === null) return attempt(request, () => undefined)
    const { session, list, around, given, sent } = prepared
    return sendWithRoom({
      async fit(isRetry) {
        if (isRetry) return { ...request, input: (await session.sync(list, around)).flatMap(({ items }) => items) }
        return sent === given ? request : { ...request, input: [...sent] }
      },
      makeRoom: (error) => session.refused(findOverflow(error)),
      send: (fitting) => attempt(fitting, (billed) => session.bill(readUsage(billed))),
    })
  }

  const { supportsPromptModelSelection } = model
  return {
    ...(supportsPromptModelSelection === undefined ? {} : { supportsPromptModelSelection }),
    ...(model.getRetryAdvice === undefined ? {} : { getRetryAdvice: (args) => model.getRetryAdvice?.(args) }),
    getResponse: (request) =>
      send(request, async (fitting, bill) => {
        const response = await model.getResponse(fitting)
        bill(response.usage)
        return response
      }),
    async *getStreamedResponse(request) {
      yield* await send(request, (fitting, bill) => openStream(readBills(model, fitting, bill), isPrelude))
    },
  }
}

type Bill = (billed: Billed) => void

async function* readBills(model: Model, request: ModelRequest, bill: Bill): AsyncGenerator<StreamEvent> {
  for await (const event of model.getStreamedResponse(request)) {
    if (event.type === 'response_done') bill(event.response.usage)
    yield event
  }
}

/** A refusal may still follow the start of a response. */
function isPrelude({ type }: StreamEvent): boolean {
  return type === 'response_started' || type === 'model'
}
