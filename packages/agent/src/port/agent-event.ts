import type { CompactionReason, EntryType, FailureCode, JsonObject, ToolApproval } from '@longhaul/engine/advanced'

/** The API's closed list of codes. */
export type AgentErrorCode = FailureCode

/** What clients are shown while it happens. `turnId` is the id of the user's message; null for work beside any turn. */
export type AgentEvent = { readonly turnId: string | null } & AgentEventBody

export type AgentEventBody =
  | { readonly type: 'message-stored'; readonly id: string }
  | { readonly type: 'queued'; readonly position: number }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | {
      readonly type: 'approval-needed'
      readonly id: string
      readonly name: string
      readonly input: JsonObject
      readonly reason: string
      /** The call and the reason as a person must see them: nothing hidden, nothing left out. */
      readonly display: string
    }
  | {
      readonly type: 'approval-settled'
      readonly id: string
      readonly name: string
      readonly allow: boolean
      readonly by: ToolApproval['by']
    }
  | {
      readonly type: 'tool-result'
      readonly id: string
      readonly name: string
      readonly output: string
      readonly truncated: boolean
      readonly isError: boolean
    }
  | { readonly type: 'flush-started' }
  | { readonly type: 'flush-completed'; readonly wrote: boolean }
  | {
      readonly type: 'compact-started'
      readonly reason: CompactionReason
      readonly tokens: number | null
      readonly threshold: number | null
    }
  | {
      readonly type: 'compact-completed'
      readonly didCompact: boolean
      readonly fallback: string | null
      readonly tokensBefore: number
      readonly tokensAfter: number
      readonly score: number | null
    }
  | { readonly type: 'context-trimmed'; readonly message: string }
  /** `message` says what the matter is where it is not that the context fills up. */
  | { readonly type: 'context-warning'; readonly percent: number; readonly message?: string }
  | { readonly type: 'retry'; readonly attempt: number; readonly reason: string }
  | {
      readonly type: 'usage'
      readonly input: number
      readonly output: number
      readonly cacheRead: number
      readonly cacheWrite: number
      readonly cost: number | null
    }
  | { readonly type: 'response-complete'; readonly id: string; readonly text: string }
  | { readonly type: 'error'; readonly code: AgentErrorCode; readonly message: string }
  /** What became of a request that came through the inbox: a compaction, an undo, a pin … */
  | { readonly type: 'request-settled'; readonly id: string; readonly outcome: RequestOutcome }
  /** The session has a name now; it comes beside any turn. */
  | { readonly type: 'titled'; readonly title: string }
  /** The program that keeps the conversation has added to it: messages, compactions, branches … */
  | { readonly type: 'entries-added'; readonly types: readonly EntryType[] }
  | { readonly type: 'done' }

export type RequestOutcome =
  | { readonly ok: true; readonly result: JsonObject }
  | { readonly ok: false; readonly code: AgentErrorCode; readonly message: string }
