import type { Failure } from './failure.ts'
import type { JsonObject } from './json.ts'
import type { Message, Usage } from './message.ts'
import type { SummaryDocument } from './summary-document.ts'

/**
 * The transcript is a list of entries, appended in the order of `seq` and never changed.
 * A fact is an entry if deleting it could change a later request or a total.
 */
interface EntryBase {
  readonly seq: number
  readonly id: string
  /** Milliseconds since 1970, UTC. */
  readonly at: number
}

/** What a request held when an answer was billed for it: a later request that starts the same way may reuse the bill. */
export interface Anchor {
  readonly model: string
  readonly itemCount: number
  readonly chainHash: string
  /** The measured size of what the request held for itself alone: the bill has it, and later requests do not. */
  readonly asideTokens?: number
}

/** Whether a tool call that needs a yes may run, and who said so: nobody in time is a no. */
export interface ToolApproval {
  readonly allow: boolean
  readonly by: 'person' | 'time-out' | 'cancel'
}

export interface MessageEntry extends EntryBase, Message {
  readonly type: 'message'
  /** On the result of a tool that asked first. */
  readonly approval?: ToolApproval
  /** The hash of the message as its host keeps it; absent where this log is the only one. */
  readonly hostHash?: string
  /** The rest is on assistant messages only. */
  readonly model?: string
  readonly usage?: Usage
  readonly anchor?: Anchor
  readonly finish?: 'stop' | 'tool-calls' | 'length' | 'error' | 'aborted'
  /** Where `finish` is `error`. */
  readonly failure?: Failure
}

/** Points at a stored entry both ways: by id for people and other programs, by seq for finding it at once. */
export interface EntryRef {
  readonly id: string
  readonly seq: number
}

/** Where the next request starts. Messages before `fromSeq` are covered by the summary; `carried` ones are sent all the same. */
interface MovesBase {
  /** Fixed when the work was planned, so that what was said meanwhile is kept. */
  readonly fromSeq: number
  /** The first message that is kept; null if none was, then. */
  readonly firstKept: (EntryRef & { readonly at: number }) | null
  readonly carried: readonly EntryRef[]
  /** The base this one stands on (a compaction, trim or reset); null is the start of the session. */
  readonly previous: EntryRef | null
  readonly tokensBefore: number
  readonly tokensAfter: number
}

export type CompactionReason = 'threshold' | 'window' | 'manual' | 'overflow' | 'model-switch' | 'prepared'

export interface CompactionEntry extends EntryBase, MovesBase {
  readonly type: 'compaction'
  readonly document: SummaryDocument
  readonly reason: CompactionReason
  readonly strategy: string
  readonly model: string | null
  readonly instructions?: string
  readonly score?: number
  readonly usage?: Usage
}

/** Last in, first out: only the base in force can be undone; the base becomes its `previous`. */
export interface CompactionUndoneEntry extends EntryBase {
  readonly type: 'compaction-undone'
  readonly compaction: string
}

/** The fallback without a summary: older messages are left out of requests. An earlier summary stays in force. */
export interface TrimEntry extends EntryBase, MovesBase {
  readonly type: 'trim'
  readonly reason: 'summary-failed' | 'max-messages' | 'overflow'
  /** The compaction whose summary stays in force. */
  readonly summary: EntryRef | null
  /** How many messages have been left out since that summary. */
  readonly dropped: number
  /** Said to the model in place of a summary; null: nothing. */
  readonly note: string | null
}

export interface ResetEntry extends EntryBase {
  readonly type: 'reset'
}

/** `form` says what is sent instead of the part, by literal parameters; the content itself is never repeated here. */
export type PruneForm =
  | { readonly form: 'soft-trimmed'; readonly headChars: number; readonly tailChars: number; readonly note: string }
  | { readonly form: 'cleared'; readonly placeholder: string }

export type PruneDecision = PruneForm & { readonly entry: EntryRef; readonly part: number }

/** The latest decision per part wins, forms only shrink, and they hold whatever the policy says later. */
export interface PruneEntry extends EntryBase {
  readonly type: 'prune'
  readonly reason: string
  readonly decisions: readonly PruneDecision[]
}

export interface PinEntry extends EntryBase {
  readonly type: 'pin'
  readonly text: string
}

export interface UnpinEntry extends EntryBase {
  readonly type: 'unpin'
  readonly pin: string
}

/** A change of title, preset or policy keys; later ones win key by key. */
export interface SettingsEntry extends EntryBase {
  readonly type: 'settings'
  readonly title?: string
  readonly preset?: string
  readonly policy?: JsonObject
}

/** Hashes of what surrounds the messages. A change breaks every prompt cache, so it is recorded, not guessed. */
export interface EnvironmentEntry extends EntryBase {
  readonly type: 'environment'
  readonly hash: string
  readonly parts: JsonObject
}

export interface FlushEntry extends EntryBase {
  readonly type: 'flush'
  /** `skipped`: due, but it could not be paid for. */
  readonly outcome: 'wrote' | 'silent' | 'failed' | 'skipped'
  /** In which it began; absent: that of its place. One that runs beside the conversation may end after its cycle. */
  readonly cycle?: number
  readonly usage?: Usage
}

export interface ModelChangeEntry extends EntryBase {
  readonly type: 'model-change'
  readonly model: string
}

export interface MaintenanceFailedEntry extends EntryBase {
  readonly type: 'maintenance-failed'
  readonly work: 'compaction' | 'flush'
  readonly reason: string
  /** What the failed calls cost all the same. */
  readonly usage?: Usage
}

/** A call that changed nothing but was paid for: a title, a beat that keeps a cache warm, a summary that came too late. */
export interface BillEntry extends EntryBase {
  readonly type: 'bill'
  readonly work: 'title' | 'heartbeat' | 'discarded'
  readonly model: string
  readonly usage: Usage
}

/** Tool calls whose outcome nobody will ever know (a crash, a cancel). They are never run again by themselves. */
export interface InterruptedEntry extends EntryBase {
  readonly type: 'interrupted'
  readonly toolCallIds: readonly string[]
  /** Those of them that a person had allowed. */
  readonly allowed?: readonly string[]
}

/**
 * The conversation goes on from an earlier message. The messages after it stay in the log, on a branch of their own. A log
 * with branches is a tree: each entry continues the one before it, and the first entry after this one continues `to`.
 */
export interface BranchEntry extends EntryBase {
  readonly type: 'branch'
  /** null: from before the first message. */
  readonly to: EntryRef | null
}

/** An entry of a newer version: kept and exported as it came, without effect. */
export interface UnknownEntry extends EntryBase {
  readonly type: 'unknown'
  readonly original: JsonObject
}

export type Entry =
  | MessageEntry
  | CompactionEntry
  | CompactionUndoneEntry
  | TrimEntry
  | ResetEntry
  | PruneEntry
  | PinEntry
  | UnpinEntry
  | SettingsEntry
  | EnvironmentEntry
  | FlushEntry
  | ModelChangeEntry
  | MaintenanceFailedEntry
  | BillEntry
  | InterruptedEntry
  | BranchEntry
  | UnknownEntry

export type EntryType = Entry['type']

/** What a caller may write: the store assigns `seq`. */
export type NewEntry = WithoutSeq<Entry>
type WithoutSeq<T> = T extends Entry ? Omit<T, 'seq'> : never

/** An entry without its place, id and time: those are the writer's. */
export type EntryBody = Body<Entry>
type Body<T> = T extends Entry ? Omit<T, 'seq' | 'id' | 'at'> : never
