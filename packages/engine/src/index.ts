// The engine in a program of your own: one object for a loop, one for hosts that keep the history themselves.
// The parts they are made of stand under `@longhaul/engine/advanced`, aids for tests under `/testing`.

export { createContext } from './context/create-context.ts'
export type { Context, ContextRequest, NextRequestOptions, RequestMessage } from './context/create-context.ts'
export { createMirror } from './context/create-mirror.ts'
export type { Mirror, MirrorOptions, SyncOptions } from './context/create-mirror.ts'
export type { Keeper, Lessons } from './context/keeper.ts'
export { keepOwnParts } from './context/keep-own-parts.ts'
export type { OwnPart } from './context/keep-own-parts.ts'
export type { MirrorCodec, WrittenAbout } from './context/mirror-codec.ts'
export type { ContextEvent, ContextEventType, Controls } from './context/controls.ts'
export type { Refusal } from './context/open-context.ts'
export type { Ask, ContextOptions } from './context/context-options.ts'
export type { CompactionResult } from './context/ports.ts'
export type { Gauge } from './context/read-gauge.ts'
export type { MessageInput } from './context/read-message-strictly.ts'
export type { RecallHit, Search } from './context/search-entries.ts'

export { EngineError } from './policy/engine-error.ts'
export type { EngineErrorCode, InputIssue } from './policy/engine-error.ts'
export { parsePolicy } from './policy/parse-policy.ts'
export type { ContextPolicy, PolicyPatch } from './policy/policy.ts'
export { PRESETS } from './policy/presets.ts'
export type { PresetName } from './policy/presets.ts'

export { truncateToolOutput } from './truncation/truncate-tool-output.ts'

export { createProseDocument, renderDocument } from './summary/render-document.ts'
export { renderMessage } from './messages/render-text.ts'
export type { CompactionPlan } from './compaction/compaction-plan.ts'
export type {
  CancelSignal,
  CompactionStrategy,
  StrategyContext,
  StrategyResult,
  SummaryReply,
  SummaryRequest,
} from './compaction/strategy.ts'

export type { Manifest, ManifestItem } from './request/manifest.ts'
export type { ToolSchema } from './request/view/environment.ts'
export type { CompactionEntry, CompactionReason, Entry, EntryRef, EntryType, MessageEntry } from './transcript/entry.ts'
export type { Item } from './transcript/item.ts'
export type { JsonObject, JsonValue } from './transcript/json.ts'
export type {
  ContentPart,
  FilePart,
  ImagePart,
  Message,
  Part,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
  Usage,
} from './transcript/message.ts'
export type { SummaryDocument } from './transcript/summary-document.ts'
export type { Head } from './request/fold/state.ts'
export type { Learnt } from './tokens/calibrate.ts'
