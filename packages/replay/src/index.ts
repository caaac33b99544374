// Transcripts through policies.
export { estimateAsking } from './run/estimate-asking.ts'
export type { AskingEstimate } from './run/estimate-asking.ts'
export { NAMED_POLICIES, checkModel, choosePolicies, listPolicyNames } from './choose-policies.ts'
export { ReplayError } from './replay-error.ts'
export type { ReplayErrorCode } from './replay-error.ts'
export { replay } from './run/replay.ts'
export type { ReplayOptions, ReplayReport } from './run/replay.ts'
export type { EventResult, Layers, RequestResult, RunResult, RunTotals } from './run/run-result.ts'
export type {
  Carrier,
  CarrierOptions,
  MaintenanceCall,
  Moment,
  ReplayEvent,
  ReplayPolicy,
  RequestItem,
} from './carriers/carrier.ts'
export { createLonghaulPolicy, createPresetPolicy } from './carriers/longhaul-policy.ts'
export { asRecorded } from './carriers/recorded-policy.ts'
export type { Clearing, Kept, Peer, Situation, SummaryCallRule } from './peers/peer.ts'
export { PEERS, createPeerPolicy } from './peers/peers.ts'
export { findTranscripts } from './transcripts/find-transcripts.ts'
export { readTranscriptFile } from './transcripts/read-transcript-file.ts'
export type { TranscriptFile, TranscriptPart, TranscriptProblem } from './transcripts/transcript-file.ts'
export type { SizeSource } from './conversation/message-sizes.ts'
export type { SummarySource } from './summaries/summaries.ts'

// What windows and prices a replay goes by.
export { createRegistry } from '@longhaul/models/prices'
export type { Registry, RegistryOptions } from '@longhaul/models/prices'

// What came out, for people and programs.
export { createDocument } from './report/html/create-document.ts'
export { createPage } from './report/html/create-page.ts'
export { PAGE_STYLE } from './report/html/page-style.ts'
export { createTables } from './report/create-tables.ts'
export { checkFrontier, findFrontier } from './report/frontier.ts'
export type { FrontierPoint } from './report/frontier.ts'
export { summarisePolicies } from './report/policy-summary.ts'
export type { PolicySummary } from './report/policy-summary.ts'
export { renderTable, tabulate } from './report/table.ts'
export type { Column, Table } from './report/table.ts'

export { createConversation } from './conversation/conversation.ts'
export type { ReplayMessage } from './conversation/conversation.ts'

// The measure of what a context still holds, shared with the benchmarks.
export { readQuestions } from './retention/read-questions.ts'
export type { KindRetention, Question, RetentionResult } from './retention/retention.ts'
export { SENTENCES } from './retention/facts/fact.ts'
export type { Fact, Occurrence } from './retention/facts/fact.ts'
export { askNeedle, createFactBook } from './retention/facts/fact-book.ts'
export type { FactBook } from './retention/facts/fact-book.ts'
export { personText } from './retention/facts/spoken.ts'
export { foldText } from './retention/fold-text.ts'
export { createPiece, holdsFact, holdsWords, pieceOf } from './retention/pieces.ts'
export type { Piece } from './retention/pieces.ts'
export { countIn, createTally, shareOf, sumTallies } from './retention/tally.ts'
export type { Tally } from './retention/tally.ts'
