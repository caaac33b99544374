export { createGatewayRuntime } from './create-gateway-runtime.ts'
export type { GatewayRuntime, GatewayRuntimeOptions } from './create-gateway-runtime.ts'
export type { AuditDesk, AuditFinding, AuditPlaces, AuditState } from './audit/create-audit-desk.ts'
export { createRuntime } from './create-runtime.ts'
export type { Instruments, Runtime, RuntimeOptions } from './create-runtime.ts'
export type { AgentConfig, Config, Places, Sourced } from './config/config.ts'
export type { ConfigNote } from './config/file/read-config-file.ts'
export type { ConfigOverrides } from './config/find-places.ts'
export { refuseAddress, refuseUpstreamName } from './config/file/check-upstreams.ts'
export type { ConfiguredUpstream } from './config/file/check-upstreams.ts'
export { loadConfig } from './config/load-config.ts'
export type { LoadOptions } from './config/load-config.ts'
export type { ConfigRow } from './explain/config-row.ts'
export type { McpFinding } from './explain/explain-mcp.ts'
export { explainConfig } from './explain/explain-config.ts'
export { createPolicyFor } from './policy/create-policy-for.ts'
export type { PolicyWish } from './policy/create-policy-for.ts'
export { RuntimeError } from './runtime-error.ts'
export type { ConfigIssue, RuntimeErrorCode } from './runtime-error.ts'
export type { OwnModels } from './wiring/create-configured-models.ts'
export { createMemoryFolder } from './wiring/create-memory-folder.ts'
export { findLeftOut } from './wiring/find-left-out.ts'
export { openStore } from './wiring/open-store.ts'
export { followSession } from './follow/follow-session.ts'
export type { FollowedEvent, FollowedSystem } from './follow/follow-session.ts'
export { TICK, nextOrTick } from './follow/next-or-tick.ts'

// What servers and terminals need of the packages below: this one is their only door to them.
export {
  AgentError,
  UNKNOWN_MODEL,
  costOfTotals,
  describeKept,
  describeRequest,
  describeStatus,
  displayInput,
  findCompaction,
  findSummaryInForce,
  isCommand,
  listCommands,
  listCompactions,
  listForeignLines,
  listMarks,
  originOf,
  readContextItem,
  readOwed,
  refuseKept,
  reportContext,
  runCommand,
  toAgentError,
  walkPathBack,
} from '@longhaul/agent'
export type {
  Accepted,
  Agent,
  AgentErrorCode,
  AgentEvent,
  AgentEventBody,
  AgentMemory,
  CommandContext,
  CommandHelp,
  CommandResult,
  CompactionRecord,
  ContextItem,
  ContextKind,
  ContextReport,
  LogLine,
  NewMessage,
  NewSessionInput,
  RequestDescription,
  RequestItem,
  RequestOptions,
  RequestOutcome,
  SessionStatus,
  SessionView,
  SummaryInForce,
  SummaryLine,
} from '@longhaul/agent'
export type { AuditReport, AuditWords, SessionAudit } from '@longhaul/audit'
export type { Gateway, GatewayReport } from '@longhaul/gateway'
export {
  DEFAULT_PRESET,
  EngineError,
  PRESETS,
  isPresetName,
  lowerWords,
  outputText,
  readFailedBill,
  redactSecrets,
} from '@longhaul/engine/advanced'
export type {
  ContextPolicy,
  Entry,
  Failure,
  JsonObject,
  MessageEntry,
  PresetName,
  Usage,
} from '@longhaul/engine/advanced'
export type { ModelCall, ModelEvent, ModelInfo, Models } from '@longhaul/models/port'
export {
  StoreError,
  checkBackup,
  exportSession,
  importTranscript,
  makeFolder,
  readTranscripts,
  restoreBackup,
  verifyStore,
  writeBackup,
} from '@longhaul/store'
export type { SkippedLine } from '@longhaul/store'
export type { InboxItem, InboxKind, SessionRecord, SettledRequest, Store, StoredEvent } from '@longhaul/store/port'
