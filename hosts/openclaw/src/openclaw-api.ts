import type { PiBlock, PiMessage } from '@longhaul/store/host'

// The parts of OpenClaw's plug-in API that are used here, as its typings have them (`openclaw/plugin-sdk/plugin-entry`).

/** OpenClaw counts cached tokens apart from the others. */
export interface OpenClawUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** OpenClaw's messages are those of pi, with a little more. */
export interface OpenClawMessage extends PiMessage {
  readonly usage?: OpenClawUsage
  readonly runtimeContextCarrier?: boolean
}

interface OpenClawCompletion {
  readonly messages: readonly { readonly role: 'user'; readonly content: string }[]
  readonly systemPrompt?: string
  readonly maxTokens?: number
  readonly temperature?: number
  readonly signal?: AbortSignal
  readonly purpose?: string
}

export interface OpenClawLlm {
  readonly complete: (completion: OpenClawCompletion) => Promise<{
    readonly text: string
    readonly stopReason?: string
    readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number; readonly costUsd?: number }
  }>
}

interface RuntimeContext {
  readonly llm?: OpenClawLlm
  readonly tokenBudget?: number
  /** Why it is to be compacted: `overflow`, `budget`, `timeout_recovery` or `manual`. */
  readonly trigger?: unknown
}

/** Names a conversation. */
export interface SessionName {
  readonly sessionId: string
  readonly sessionKey?: string | undefined
}

export interface Call extends SessionName {
  readonly runtimeContext?: RuntimeContext
  readonly runtimeSettings?: {
    readonly model: { readonly provider: string | null; readonly resolved: string | null }
    readonly limits: { readonly promptTokenBudget: number | null }
  }
}

export interface AssembleCall extends Call {
  /** The history before the current turn, or what was assembled of it for an earlier request of the same turn. */
  readonly messages: readonly OpenClawMessage[]
  readonly tokenBudget?: number
  readonly prompt?: string
}

export interface CompactCall extends Call {
  readonly tokenBudget?: number
  readonly customInstructions?: string
  readonly abortSignal?: AbortSignal
}

export interface CompactAnswer {
  readonly ok: boolean
  readonly compacted: boolean
  readonly reason?: string
  readonly result?: { readonly tokensBefore: number; readonly tokensAfter?: number }
}

interface CommitCall extends Call {
  /** From the user's message to the last answer. */
  readonly messages: readonly OpenClawMessage[]
}

export interface ContextEngine {
  readonly info: object
  bootstrap(call: Call): Promise<{ readonly bootstrapped: boolean }>
  ingest(call: object): Promise<{ readonly ingested: boolean }>
  assemble(
    call: AssembleCall,
  ): Promise<{ readonly messages: readonly OpenClawMessage[]; readonly estimatedTokens: number }>
  compact(call: CompactCall): Promise<CompactAnswer>
  commitTurn(call: CommitCall): Promise<{ readonly status: 'committed' | 'duplicate' }>
}

export interface OpenClawTool {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly parameters: object
  /** Offered to the model by name, not behind OpenClaw's search for tools. */
  readonly catalogMode: 'direct-only'
  readonly execute: (
    id: string,
    input: { readonly query: string },
  ) => Promise<{ readonly content: readonly PiBlock[]; readonly details: object }>
}

export interface OpenClawApi {
  readonly pluginConfig?: unknown
  readonly logger: { readonly warn: (text: string) => void }
  readonly runtime: {
    readonly llm: OpenClawLlm
    readonly state: { readonly resolveStateDir: () => string }
  }
  registerContextEngine(id: string, factory: () => ContextEngine): void
  registerTool(
    factory: (context: { readonly sessionId?: string; readonly sessionKey?: string }) => OpenClawTool | null,
    options: { readonly name: string },
  ): void
}
