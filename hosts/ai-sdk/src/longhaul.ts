import { randomUUID } from 'node:crypto'
import { RECALL_TOOL, createHostControls, openHostSession } from '@longhaul/store/host'
import type { HostControls, HostOptions } from '@longhaul/store/host'
import { gateway, jsonSchema, tool } from 'ai'
import type { Instructions, JSONSchema7, LanguageModel, ModelMessage, Tool } from 'ai'
import { createAsk } from './create-ask.ts'
import { messageCodec } from './message-codec.ts'
import { nameList, toolsOf, wrapModel } from './wrap-model.ts'
import type { ModelObject, PreparedList } from './wrap-model.ts'

export interface LonghaulOptions extends HostOptions {
  readonly model: LanguageModel
  /** The app's own name for the conversation. Left out: a conversation that only this object knows. */
  readonly sessionId?: string | undefined
}

/** The part of the AI SDK's options for `prepareStep` that is read. */
export interface StepToPrepare {
  readonly instructions: Instructions | undefined
  readonly initialMessages: ModelMessage[]
  readonly responseMessages: ModelMessage[]
}

/** A `prepareStep` of one's own that wraps this one passes on both fields. */
export interface PreparedStep {
  readonly messages: ModelMessage[]
  readonly providerOptions: ReturnType<typeof nameList>
}

export interface Longhaul {
  /** Stands for the given model: makes room and tries again when a prompt is refused as too long. */
  readonly model: ModelObject
  /** Makes each step's list of messages small enough, of the app's own objects. Pass it to `prepareStep`. */
  readonly prepareStep: (step: StepToPrepare) => Promise<PreparedStep>
  readonly tools: { readonly recall: Tool<{ query: string }, string> }
  /** Compact, undo, pins, sizes and entries of the conversation. */
  readonly context: HostControls
}

/**
 * Keeps one conversation of an AI SDK app small enough for its model, however long it gets. The app goes on handing over
 * its whole history. The same `sessionId` and `store` are the same conversation, so it may be called anew at each request.
 *
 * @example
 * const lh = longhaul({ model, windowTokens: 200_000, sessionId: chatId, store: 'sessions.db' })
 * const reply = streamText({ model: lh.model, prepareStep: lh.prepareStep, tools: lh.tools, messages })
 */
export function longhaul(options: LonghaulOptions): Longhaul {
  const { sessionId = randomUUID(), store, policy, warn, windowTokens = null } = options
  const model = resolveModel(options.model)
  const call = {
    windowTokens,
    model: `${model.provider.split('.', 1)[0]}/${model.modelId}`,
    ask: options.ask ?? createAsk(model),
  }
  const session = openHostSession({ origin: 'ai-sdk', sessionId, codec: messageCodec, store, policy, warn, ...call })
  let prepared: PreparedList | null = null
  return {
    model: wrapModel({ model, session, call, lastPrepared: () => prepared }),
    async prepareStep({ instructions, initialMessages, responseMessages }) {
      // Not `messages`: from the second step on that is the list made for the step before.
      const list = [...initialMessages, ...responseMessages]
      const sent = await session.sync(list, { ...call, system: textOf(instructions), tools: toolsOf(session) })
      prepared = { list, sent, instructions, name: randomUUID() }
      return { messages: [...sent], providerOptions: nameList(prepared.name) }
    },
    tools: { recall: tool({ ...RECALL, execute: ({ query }) => session.recall(query) }) },
    context: createHostControls(session),
  }
}

const { description, inputSchema } = RECALL_TOOL
const RECALL = { description, inputSchema: jsonSchema<{ query: string }>(inputSchema as unknown as JSONSchema7) }

function resolveModel(model: LanguageModel): Exclude<LanguageModel, string> {
  return typeof model === 'string' ? (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(model) : model
}

function textOf(instructions: Instructions | undefined): string | null {
  if (instructions === undefined || typeof instructions === 'string') return instructions ?? null
  const messages = Array.isArray(instructions) ? instructions : [instructions]
  return messages.map(({ content }) => content).join('\n\n')
}
