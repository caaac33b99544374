// The parts that Longhaul's own packages are built of. Programs start with the root, `@longhaul/engine`.
export type {
  Anchor,
  BillEntry,
  CompactionEntry,
  CompactionReason,
  CompactionUndoneEntry,
  Entry,
  EntryBody,
  EntryRef,
  EntryType,
  EnvironmentEntry,
  FlushEntry,
  InterruptedEntry,
  MaintenanceFailedEntry,
  MessageEntry,
  ModelChangeEntry,
  NewEntry,
  PinEntry,
  PruneDecision,
  PruneEntry,
  PruneForm,
  ResetEntry,
  SettingsEntry,
  ToolApproval,
  TrimEntry,
  UnknownEntry,
  UnpinEntry,
} from './transcript/entry.ts'
export type { Failure, FailureCode } from './transcript/failure.ts'
export type { Item } from './transcript/item.ts'
export { isRecord, textOf, toJsonObject } from './transcript/json.ts'
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
export { readEntry } from './transcript/read-entry.ts'
export { readOutput, readParts, readRole, readUsage } from './transcript/read-message.ts'
export { remember } from './transcript/remember.ts'
export type {
  FactKind,
  LedgerFact,
  SummaryBudgets,
  SummaryDocument,
  SummaryItem,
  SummarySection,
} from './transcript/summary-document.ts'

export { bringsForeignText } from './messages/brings-foreign-text.ts'
export { findCutPoints } from './messages/cut-points.ts'
export type { CutPoints } from './messages/cut-points.ts'
export { frameNotes } from './messages/frame-notes.ts'
export { neutralize, neutralizeLine } from './messages/neutralize.ts'
export { showHidden, showPrinted } from './messages/show-hidden.ts'
export { outputText, renderMessage, renderMessages, renderParts } from './messages/render-text.ts'
export type { TextLimits } from './messages/render-text.ts'
export { sliceHead, sliceTail } from './messages/slice-text.ts'
export { pairTools } from './messages/tool-pairs.ts'
export type { ToolPair } from './messages/tool-pairs.ts'
export {
  CHANGE_WORDS,
  LISTING_WORDS,
  isExtentKey,
  isPathKey,
  normalizePath,
  toolWords,
} from './messages/tool-vocabulary.ts'

export { createLearnt, learnFromBill, toCalibration } from './tokens/calibrate.ts'
export type { BillObservation, Learnt, Lesson } from './tokens/calibrate.ts'
export { forecastTurns } from './tokens/forecast.ts'
export { ESTIMATOR_VERSION, estimateField, estimateMessage } from './tokens/estimate-message.ts'
export type { Estimator } from './tokens/estimate-message.ts'
export { measureGrowth } from './tokens/measure-growth.ts'
export { hashText } from './tokens/hash.ts'
export { UNCALIBRATED } from './tokens/meter.ts'
export type { Calibration, Reading } from './tokens/meter.ts'

export { CEILING_KEYS, findWider, lowerPolicy, lowerWords, readCeilings } from './policy/ceilings.ts'
export type { Ceilings, WiderWish } from './policy/ceilings.ts'
export { findToolTokens, resolveLimits } from './policy/limits.ts'
export type { Clamp, Limits, LimitsInput } from './policy/limits.ts'
export { findNearestName } from './policy/nearest-name.ts'
export { parsePolicy } from './policy/parse-policy.ts'
export { ONE_OF_GROUPS } from './policy/policy-keys.ts'
export { EngineError } from './policy/engine-error.ts'
export type { EngineErrorCode, InputIssue } from './policy/engine-error.ts'
export type { ContextPolicy, PolicyPatch } from './policy/policy.ts'
export { DEFAULT_PRESET, PRESETS, isPresetName } from './policy/presets.ts'
export type { PresetName } from './policy/presets.ts'
export { guardWindow, resolveWindow } from './policy/window.ts'
export type { EffectiveWindow, WindowGuard, WindowSources } from './policy/window.ts'

export { limitBootstrapFile } from './truncation/limit-bootstrap-file.ts'
export type { BootstrapFile } from './truncation/limit-bootstrap-file.ts'
export { truncateToolOutput } from './truncation/truncate-tool-output.ts'

export { isSilentReply } from './flush/is-silent-reply.ts'
export { planFlush } from './flush/plan-flush.ts'
export type { FlushReason } from './flush/plan-flush.ts'
export { createFlushPrompt } from './flush/prompt.ts'

export { extractFacts } from './summary/extract-facts.ts'
export { scoreSentence } from './summary/facts/informative-sentences.ts'
export { splitSentences } from './summary/facts/split-sentences.ts'
export { isStanding } from './summary/facts/instruction-facts.ts'
export { redactSecrets } from './summary/redact-secrets.ts'
export { createProseDocument, renderDocument } from './summary/render-document.ts'
export { renderSummary } from './summary/render-summary.ts'

export type { BaseMove, CompactionPlan, NoCompaction, TrimPlan } from './compaction/compaction-plan.ts'
export { readFailedBill } from './compaction/calls/read-failed-bill.ts'
export { describeSummarised } from './compaction/prompt-content.ts'
export type { PromptContent, PromptItem } from './compaction/prompt-content.ts'
export { runCompaction } from './compaction/run-compaction.ts'
export type { CompactionOutcome, CompactionRun } from './compaction/run-compaction.ts'
export { createStrategies } from './compaction/strategies.ts'
export { MODEL_FREE_STRATEGY, NOTES_STRATEGY } from './compaction/strategy.ts'
export type {
  AskModel,
  CancelSignal,
  CompactionStrategy,
  StrategyContext,
  StrategyResult,
  SummaryReply,
  SummaryRequest,
} from './compaction/strategy.ts'
export type { CheckPoint } from './compaction/trigger.ts'

export { createState, foldEntry } from './request/fold/fold.ts'
export { foldBranch, foldEntries } from './request/fold/fold-log.ts'
export { findBase, findNeededEntries, isCurrentHead, openState } from './request/fold/open-state.ts'
export type { NeededEntries } from './request/fold/open-state.ts'
export { BREAKER_FAILURES, isBreakerOpen } from './request/fold/breaker.ts'
export type { Base, Head, Pin, State, Totals } from './request/fold/state.ts'
export { createAskManifest } from './request/ask-manifest.ts'
export type { AskManifestInput } from './request/ask-manifest.ts'
export { createManifest, restoreManifest, storeManifest } from './request/manifest.ts'
export { createRequestJournal } from './request/request-journal.ts'
export type { ManifestTable, RequestJournal } from './request/request-journal.ts'
export type { AsidePurpose, Manifest, ManifestInput, ManifestItem, StoredManifest } from './request/manifest.ts'
export type { Culprit } from './request/plan/find-culprit.ts'
export { isStillValid } from './request/plan/is-still-valid.ts'
export { createMoveMeter } from './request/plan/measure-move.ts'
export { createPruneEntry, createTrimEntry } from './request/plan/plan-entries.ts'
export { planFallbacks, planResultTrimming, planShrinking, planTrimming } from './request/plan/plan-shrinking.ts'
export { planPin } from './request/plan/plan-pin.ts'
export { planUndo } from './request/plan/plan-undo.ts'
export type { UndoPlan } from './request/plan/plan-undo.ts'
export type { Plan, PlannedStep, PlanNumbers } from './request/plan/planned-step.ts'
export type { SessionContext } from './request/plan/session-context.ts'
export { extendRequest } from './request/seal/extend-request.ts'
export { sealRequest } from './request/seal/seal.ts'
export { findRequestLimit } from './request/seal/request-limit.ts'
export type { SealInput } from './request/seal/seal.ts'
export { isLossy } from './request/seal/sealed-request.ts'
export type { Repair, SealedMessage, SealedRequest } from './request/seal/sealed-request.ts'
export { measureEnvironment, renderSystem } from './request/view/environment.ts'
export type {
  Environment,
  EnvironmentMeasure,
  EnvironmentPart,
  ToolOrigin,
  ToolSchema,
} from './request/view/environment.ts'
export { fitTools } from './request/view/fit-tools.ts'
export type { FittedTools, LeftOutTools } from './request/view/fit-tools.ts'
export { measureView } from './request/view/measure-view.ts'
export type { MeasureContext } from './request/view/measure-view.ts'
export { createView } from './request/view/view.ts'
export type { View } from './request/view/view.ts'
export type { ViewItem, ViewKind } from './request/view/view-item.ts'

export { createContext } from './context/create-context.ts'
export type { Context, ContextRequest, NextRequestOptions, RequestMessage } from './context/create-context.ts'
export { createMirror } from './context/create-mirror.ts'
export type { Mirror, MirrorOptions, SyncOptions } from './context/create-mirror.ts'
export type { Keeper, Lessons } from './context/keeper.ts'
export type { MirrorCodec, WrittenAbout } from './context/mirror-codec.ts'
export { NOTHING_TO_COMPACT, describeUndoRefusal } from './context/controls.ts'
export type { ContextEvent, ContextEventType, Controls } from './context/controls.ts'
export type { Refusal } from './context/open-context.ts'
export type { Ask, ContextOptions } from './context/context-options.ts'
export { createDriver } from './context/driver.ts'
export type { Driver, ManualResult } from './context/driver.ts'
export type { ReadyInput, RefusedInput } from './context/maintain.ts'
export { describeCulprit } from './context/open-context.ts'
export type { Patience, Waiting } from './context/patience.ts'
export type { CompactionResult, DriverEvent, DriverPorts, StopSignal } from './context/ports.ts'
export { hashMessage } from './context/hash-message.ts'
export { createQueue } from './context/queue.ts'
export { createBringBack } from './context/bring-back.ts'
export type { BringBack, RecallLog } from './context/bring-back.ts'
export { findResultRule, truncateResults } from './context/truncate-results.ts'
export { readGauge } from './context/read-gauge.ts'
export type { Gauge } from './context/read-gauge.ts'
export type { MessageInput } from './context/read-message-strictly.ts'
export type { RecallHit, Search } from './context/search-entries.ts'
export { isSearchable, searchableText } from './search/message-text.ts'
export { createRecallIndex } from './search/recall-index.ts'
export type { BroughtBack, RecallIndex } from './search/recall-index.ts'
export { countPhrase, rankByWords } from './search/rank-by-words.ts'
export { readQuery } from './search/read-query.ts'
export type { Phrase } from './search/read-query.ts'
export { listClaimedIds, renderRecalled } from './search/render-recalled.ts'
export { makeSnippet } from './search/snippet.ts'
export { hasWords, isUnspaced, splitWords } from './search/split-words.ts'
