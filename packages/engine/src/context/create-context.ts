import { createManifest } from '../request/manifest.ts'
import type { Manifest } from '../request/manifest.ts'
import { planPin } from '../request/plan/plan-pin.ts'
import { planUndo } from '../request/plan/plan-undo.ts'
import type { SealedMessage } from '../request/seal/sealed-request.ts'
import type { ToolSchema } from '../request/view/environment.ts'
import { hasToolCall } from '../messages/tool-pairs.ts'
import { EngineError } from '../policy/engine-error.ts'
import { truncateToolOutput } from '../truncation/truncate-tool-output.ts'
import type { Entry, MessageEntry } from '../transcript/entry.ts'
import type { Message, Part, Usage } from '../transcript/message.ts'
import type { ContextOptions } from './context-options.ts'
import { openContext } from './open-context.ts'
import type { OpenContext, PreparedRequest, Refusal } from './open-context.ts'
import type { CompactionResult, DriverEvent, StopSignal } from './ports.ts'
import { readGauge } from './read-gauge.ts'
import type { Gauge } from './read-gauge.ts'
import { readMessageStrictly, readUsageStrictly } from './read-message-strictly.ts'
import type { MessageInput } from './read-message-strictly.ts'
import type { PlatformSignal } from './runtime.ts'

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
  /** The size of the request, as far as it is known before the bill. */
  readonly tokens: number
  /** An account of the request: each item, its form and its size. */
  readonly manifest: Manifest
}

export interface NextRequestOptions {
  /** Ends the wait for a summary. */
  readonly signal?: PlatformSignal
  /** From now on this is the system text. */
  readonly system?: string | null
  /** From now on these are the tools. */
  readonly tools?: readonly ToolSchema[]
}

export type ContextEventType = Exclude<DriverEvent['type'], 'flush-started' | 'problem'>
export type ContextEvent<T extends ContextEventType = ContextEventType> = Extract<DriverEvent, { type: T }>

/** A conversation that is never too long: add what was said, and ask for the next request. */
export interface Context {
  /** Stores a message. `usage`: the bill of the request that it answers; it teaches the meter. */
  add(message: MessageInput, options?: { readonly usage?: Usage }): Promise<MessageEntry>
  /** Begins what is due, and gives the request to send. Waits only where the request would not fit. */
  nextRequest(options?: NextRequestOptions): Promise<ContextRequest>
  /** Tells that the provider refused the last request as too long. True: room was made, so ask for the next request. */
  refused(refusal?: {
    readonly limitTokens?: number
    readonly actualTokens?: number
    readonly signal?: PlatformSignal
  }): Promise<boolean>
  /** Compacts now. */
  compact(options?: { readonly instructions?: string; readonly signal?: PlatformSignal }): Promise<CompactionResult>
  /** Takes the last compaction back. */
  undo(): Promise<{ readonly undone: readonly string[] }>
  /** Keeps a text in every request, word for word. Returns its id. */
  pin(text: string): Promise<string>
  unpin(id: string): Promise<void>
  /** Starts over; pins stay, and the log keeps everything. */
  reset(): Promise<void>
  /** The whole log, oldest first. */
  entries(): readonly Entry[]
  measure(): Gauge
  /** Calls back when something happened to the context. The function it returns ends that. */
  on<T extends ContextEventType>(type: T, listener: (event: ContextEvent<T>) => void): () => void
  /** Resolves when nothing runs beside the conversation any more. */
  settled(): Promise<void>
}

/**
 * Makes a context for a loop of your own.
 *
 * @example
 * const context = createContext({ windowTokens: 200_000, ask })
 * await context.add({ role: 'user', content: 'Plant the garden.' })
 */
export function createContext(options: ContextOptions): Context {
  const open = openContext(options)
  const { driver, session } = open
  let sent: PreparedRequest | null = null

  return {
    async add(value, { usage } = {}) {
      const message = truncateResults(readMessageStrictly(value), open)
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
    async nextRequest({ signal, ...around } = {}) {
      open.surround(around)
      const prepared = await open.prepare(signal as StopSignal | undefined)
      sent = prepared
      const { sealed, view, numbers, at } = prepared
      return {
        system: sealed.system,
        messages: sealed.messages.map(toRequestMessage),
        tools: sealed.tools,
        tokens: sealed.tokens.tokens ?? 0,
        get manifest() {
          return createManifest({ number: 0, at, view, sealed, numbers })
        },
      }
    },
    refused: (refusal = {}) => open.refused(refusal as Refusal),
    async compact({ instructions, signal } = {}) {
      const stop = (signal as StopSignal | undefined) ?? NEVER
      const result = await driver.compact({ instructions, signal: stop })
      if ('nothing' in result) throw new EngineError('nothing-to-compact', NOTHING[result.nothing])
      return result
    },
    async undo() {
      const plan = planUndo(session())
      if (plan.action === 'refuse') throw new EngineError(plan.reason, UNDO[plan.reason])
      if (plan.action === 'load') throw new EngineError('nothing-to-undo', UNDO['nothing-to-undo'])
      await open.append(plan.undone.map((compaction) => ({ type: 'compaction-undone', compaction }) as const))
      return { undone: plan.undone }
    },
    async pin(text) {
      if (typeof text !== 'string' || text.trim() === '')
        throw new EngineError('invalid-message', 'There is nothing to pin: expected a text.')
      const { fits, neededTokens, pinTokens } = planPin(session(), text.trim())
      if (!fits)
        throw new EngineError(
          'pin-too-large',
          `All pins together may take ${pinTokens} tokens; with this one they would take about ${neededTokens}.`,
        )
      const [entry] = await open.append([{ type: 'pin', text: text.trim() }])
      return (entry as Entry).id
    },
    async unpin(id) {
      if (!session().state.head.pins.some((pin) => pin.id === id))
        throw new EngineError('not-found', `There is no pin with the id ${String(id)}.`)
      await open.append([{ type: 'unpin', pin: id }])
    },
    async reset() {
      await open.append([{ type: 'reset' }])
    },
    entries: () => [...open.entries()],
    measure: () => readGauge(session()),
    on: (type, listener) =>
      open.listen((event) => {
        if (event.type === type) listener(event as Parameters<typeof listener>[0])
      }),
    settled: driver.settled,
  }
}

/** A tool's answer is cut before it is stored, as the policy says. */
function truncateResults(message: Message, { session }: Pick<OpenContext, 'session'>): Message {
  const { policy, limits } = session()
  const maxChars = limits?.toolResultMaxChars ?? policy.toolResults.maxChars
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-result') return part
    const { output, truncated } = truncateToolOutput(part.output, { ...policy.toolResults, maxChars })
    return truncated ? { ...part, output } : part
  })
  return { ...message, parts }
}

function toRequestMessage({ role, parts }: SealedMessage): RequestMessage {
  const [only, ...others] = parts
  const isText = only?.type === 'text' && others.length === 0 && only.providerOptions === undefined
  return { role, content: isText ? only.text : parts }
}

const NEVER: StopSignal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined }

const NOTHING = {
  'window-unknown': 'The window is unknown, so there is no measure for a compaction: set windowTokens.',
  'no-messages': 'There are no messages yet.',
  'too-few-messages': 'There are too few messages to summarize.',
  'all-protected': 'Everything there is belongs to the part that is always kept.',
  'too-little-to-gain': 'What could be summarized is too short for that to pay.',
} as const

const UNDO = {
  'nothing-to-undo': 'Nothing has been compacted since the start or the last reset.',
  'undo-would-not-fit': 'The messages that it would bring back do not fit the window.',
} as const
