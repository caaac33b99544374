import type { JsonObject } from '@longhaul/engine'
import type { PiBlock, PiMessage as StoredPiMessage } from '@longhaul/store/host'

// The part of pi's extension API that is used here, written down because pi is no dependency: it brings itself along.
// A test compiles it against the typings of the pi that is tried.

/** A message of any of pi's roles; extensions add roles of their own. */
export interface PiMessage extends StoredPiMessage {
  readonly timestamp: number
  /** On assistant messages. */
  readonly usage?: PiUsage
  readonly errorMessage?: string | undefined
}

/** `input` counts what was not cached. */
export interface PiUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning?: number
  readonly cost: { readonly total: number }
}

/** A line of pi's session file. */
export interface PiEntry {
  readonly type: string
  readonly id: string
  readonly timestamp: string
  readonly message?: PiMessage
  readonly content?: PiMessage['content']
  readonly summary?: string
  readonly firstKeptEntryId?: string
  readonly details?: unknown
  readonly targetId?: string
  readonly replacement?: { readonly content: string | readonly PiBlock[] } | null
}

interface PiModel {
  readonly id: string
  readonly provider: string
  readonly contextWindow: number
}

interface PiModels<M extends PiModel = PiModel> {
  complete(
    model: M,
    context: { systemPrompt: string; messages: { role: 'user'; content: string; timestamp: number }[] },
    options: { maxTokens: number; signal: AbortSignal; cacheRetention: 'none' },
  ): Promise<PiMessage>
}

export interface PiContext {
  readonly mode: string
  readonly hasUI: boolean
  readonly model: PiModel | undefined
  readonly modelRegistry: PiModels
  readonly signal: AbortSignal | undefined
  readonly ui: { notify(message: string, type: 'info' | 'warning'): void }
  readonly sessionManager: { getSessionId(): string; getBranch(): readonly PiEntry[] }
  getSystemPrompt(): string
}

export interface PiCompaction {
  readonly reason: 'manual' | 'threshold' | 'overflow'
  readonly branchEntries: readonly PiEntry[]
  readonly preparation: { readonly tokensBefore: number; readonly firstKeptEntryId: string }
  readonly customInstructions?: string | undefined
  readonly signal: AbortSignal
}

export interface PiCompactionAnswer {
  cancel?: boolean
  compaction?: { summary: string; firstKeptEntryId: string; tokensBefore: number; details: unknown }
}

type On<E, R> = (event: E, context: PiContext) => Promise<R> | R

export interface PiExtensionApi {
  on(event: 'context', handler: On<{ messages: PiMessage[] }, { messages: PiMessage[] }>): void
  on(event: 'message_end', handler: On<{ message: PiMessage }, void>): void
  on(event: 'session_before_compact', handler: On<PiCompaction, PiCompactionAnswer | undefined>): void
  on(event: 'session_shutdown', handler: On<{ reason: string }, void>): void
  registerCommand(
    name: string,
    command: { description: string; handler(words: string, context: PiContext): Promise<void> },
  ): void
  registerTool(tool: {
    name: string
    label: string
    description: string
    promptSnippet: string
    parameters: JsonObject
    execute(
      id: string,
      input: unknown,
      signal: AbortSignal | undefined,
      onUpdate: unknown,
      context: PiContext,
    ): Promise<{ content: { type: 'text'; text: string }[]; details: undefined }>
  }): void
  getActiveTools(): readonly string[]
  getAllTools(): readonly { readonly name: string; readonly description: string; readonly parameters: object }[]
}
