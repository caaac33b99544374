// What agents forgot, and what that cost.
export { AGENTS } from './report/audit-report.ts'
export type {
  AgentName,
  AgentTotals,
  AuditProblem,
  AuditReport,
  AuditTotals,
  CompactionAudit,
  LonghaulEstimate,
  LostFact,
  Place,
  Refetch,
  SessionAudit,
} from './report/audit-report.ts'

// The whole audit.
export { runAudit } from './run-audit.ts'
export type { AuditOptions } from './run-audit.ts'

// The report, for people.
export { createTotals } from './report/create-totals.ts'
export { cleanReport } from './report/clean-report.ts'
export { shareReport } from './report/share-report.ts'
export { describeAudit } from './report/describe-audit.ts'
export type { AgentRow, AuditWords, DescribeOptions } from './report/describe-audit.ts'
export { findCure } from './report/agent-cures.ts'
export type { AgentCure } from './report/agent-cures.ts'
export type { WorstLoss } from './report/find-worst-losses.ts'
export { formatNumber, formatTokens, formatUsd } from './report/figures.ts'
export { createAuditPage } from './report/html/create-audit-page.ts'
export type { AuditPageOptions } from './report/html/create-audit-page.ts'

// Where agents keep their sessions, and what stands in them.
export type { AgentSession, AgentTranscript, FoundSession, RecordedCompaction } from './find/agent-session.ts'
export { findSessions } from './find/find-sessions.ts'
export type { SessionSearch, SessionsFound } from './find/find-sessions.ts'
export { readSession } from './read/read-session.ts'
export type { SessionReading, SessionsRead } from './read/read-session.ts'

// The functions that measure what a compaction lost.
export { auditSession } from './measure/audit-session.ts'
export type { AuditSessionOptions } from './measure/audit-session.ts'
