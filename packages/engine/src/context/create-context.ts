import { createManifest } from '../request/manifest.ts'
import type { Manifest } from '../request/manifest.ts'
import type { SealedMessage } from '../request/seal/sealed-request.ts'
import type { ToolSchema } from '../request/view/environment.ts'
import { hasToolCall } from '../messages/tool-pairs.ts'
import { EngineError } from '../policy/engine-error.ts'
import type { MessageEntry } from '../transcript/entry.ts'
import type { Part, Usage } from '../transcript/message.ts'
import { checkKinds } from './check-arguments.ts'
import { checkTools } from './context-options.ts'
import type { ContextOptions } from './context-options.ts'
import { createControls } from './controls.ts'
import type { Controls } from './controls.ts'
import { openContext, refuseUnfit } from './open-context.ts'
import type { PreparedRequest } from './open-context.ts'
import { readMessageStrictly, readUsageStrictly } from './read-message-strictly.ts'
import type { MessageInput } from './read-message-strictly.ts'
import type { PlatformSignal } from './runtime.ts'
import { findResultRule, truncateResults } from './truncate-results.ts'

/** A message of a request: `content` is a text where it holds nothing else, and else parts as in a transcript. */
export interface RequestMessage {
  readonly role: SealedMessage['role']
  readonly content: string | readonly Part[]
}

/** Everything that the next call to the model needs. */
export interface ContextRequest {
  readonly system: string | null
  readonly messages: readonly RequestMessage[]
  readonly tools: readonly ToolSchema[]
  /**
   * So many of the messages are sent again as they are: a breakpoint of a prompt cache belongs behind the last of them.
   * Messages behind it are there for this request only.
   */
  readonly stableMessages: number
  /** The size of the request, as far as it is known before the bill. */
  readonly tokens: number
  /** An account of the request: each item, its form and its size. */
  readonly manifest: Manifest
}

export interface NextRequestOptions {
  /** Ends the wait for a summary. */
  readonly signal?: PlatformSignal | undefined
  /** From now on this is the system text. */
  readonly system?: string | null
  /** From now on these are the tools. */
  readonly tools?: readonly ToolSchema[]
}

/** A conversation that is never too long: add what was said, and ask for the next request. */
export interface Context extends Controls {
  /** Stores a message. `usage`: the bill of the request that it answers; it teaches the meter. */
  add(message: MessageInput, options?: { readonly usage?: Usage | undefined }): Promise<MessageEntry>
  /** Begins what is due, and gives the request to send. Waits only where the request would not fit. */
  nextRequest(options?: NextRequestOptions): Promise<ContextRequest>
}

/**
 * Makes a context for a loop of your own.
 *
 * @example
 * const context = createContext({ windowTokens: 200_000, ask })
 * await context.add({ role: 'user', content: 'Plant the garden.' })
 */
export function createContext(options: ContextOptions): Context {
  const open = openContext(options, { bringsBack: true })
  const { session } = open
  let sent: PreparedRequest | null = null

  return {
    ...createControls(open),
    async add(value, addOptions = {}) {
      checkKinds(addOptions, { usage: null })
      const { usage } = addOptions
      const message = truncateResults(readMessageStrictly(value), findResultRule(session()))
      const bill = usage === undefined ? null : readUsageStrictly(usage)
      const isAnswer = message.role === 'assistant'
      if (bill !== null && !isAnswer)
        throw new EngineError(
          'invalid-message',
          'usage belongs to the answer of a model: to a message of role assistant.',
        )
      if (message.role === 'user') open.beginTurn()
      const { model } = session()
      const billed = bill === null ? {} : { usage: bill, ...(sent === null ? {} : { anchor: sent.sealed.anchor }) }
      const body = { type: 'message', ...message, ...(isAnswer && model !== null ? { model } : {}), ...billed } as const
      const [entry] = await open.append([body])
      if (bill !== null && sent !== null) open.learn(sent, bill)
      if (isAnswer) sent = null
      if (isAnswer && !hasToolCall(message)) await open.afterResponse()
      return entry as MessageEntry
    },
    async nextRequest(requestOptions = {}) {
      checkKinds(requestOptions, { signal: 'an AbortSignal', system: 'a string or null', tools: 'a list' })
      const { signal, ...around } = requestOptions
      checkTools(around.tools)
      open.surround(around)
      const prepared = await open.prepare(signal)
      const { sealed, view, numbers, at } = prepared
      refuseUnfit(sealed)
      sent = prepared
      return {
        system: sealed.system,
        messages: sealed.messages.map(toRequestMessage),
        stableMessages: sealed.stableMessages ?? sealed.messages.length,
        tools: sealed.tools,
        tokens: sealed.tokens.tokens ?? 0,
        get manifest() {
          return createManifest({ number: 0, at, view, sealed, numbers })
        },
      }
    },
  }
}

function toRequestMessage({ role, parts }: SealedMessage): RequestMessage {
  const [only, ...others] = parts
  const isText = only?.type === 'text' && others.length === 0 && only.providerOptions === undefined
  return { role, content: isText ? only.text : parts }
}
