import { isDeepStrictEqual } from 'node:util'
import { findOverflow } from '@longhaul/models/overflow'
import type { HostSession, HostSyncOptions } from '@longhaul/store/host'
import type { AgentInputItem, Model, ModelRequest } from '@openai/agents'
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
/** A provider that does not name its limit may refuse the second, shorter list as well. */
const MAX_ATTEMPTS = 3

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
  const { supportsPromptModelSelection } = model
  return {
    ...(supportsPromptModelSelection === undefined ? {} : { supportsPromptModelSelection }),
    ...(model.getRetryAdvice === undefined ? {} : { getRetryAdvice: (args) => model.getRetryAdvice?.(args) }),
    async getResponse(request) {
      const prepared = lists.find(request)
      for (let attempts = 1, fitting = withList(request, prepared); ; attempts += 1) {
        try {
          const response = await model.getResponse(fitting)
          bill(prepared, response.usage)
          return response
        } catch (error) {
          fitting = await makeRoom(prepared, { request, error, attempts })
        }
      }
    },
    async *getStreamedResponse(request) {
      const prepared = lists.find(request)
      let hasBegun = false
      for (let attempts = 1, fitting = withList(request, prepared); ; attempts += 1) {
        try {
          for await (const event of model.getStreamedResponse(fitting)) {
            if (event.type === 'response_done') bill(prepared, event.response.usage)
            // A refusal may still follow the start of a response.
            hasBegun ||= event.type !== 'response_started' && event.type !== 'model'
            yield event
          }
          return
        } catch (error) {
          if (hasBegun) throw error
          fitting = await makeRoom(prepared, { request, error, attempts })
        }
      }
    },
  }
}

function withList(request: ModelRequest, prepared: PreparedList | null): ModelRequest {
  return prepared === null || prepared.sent === prepared.given ? request : { ...request, input: [...prepared.sent] }
}

function bill(prepared: PreparedList | null, billed: Billed): void {
  const usage = readUsage(billed)
  if (usage !== null) prepared?.session.bill(usage)
}

interface Refused {
  readonly request: ModelRequest
  readonly error: unknown
  readonly attempts: number
}

/** The request with a shorter list. Throws the error itself where that is no answer to it. */
async function makeRoom(prepared: PreparedList | null, { request, error, attempts }: Refused): Promise<ModelRequest> {
  const overflow = prepared === null || attempts >= MAX_ATTEMPTS ? null : findOverflow(error)
  if (prepared === null || overflow === null || !(await prepared.session.refused(overflow))) throw error
  const groups = await prepared.session.sync(prepared.list, prepared.around)
  return { ...request, input: groups.flatMap(({ items }) => items) }
}
