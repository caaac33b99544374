// What agents forgot, and what that cost.
export { AGENTS } from './report/audit-report.ts'
export type {
  AgentName,
  AuditReport,
  CompactionAudit,
  LostFact,
  Place,
  Refetch,
  SessionAudit,
} from './report/audit-report.ts'
export type { AgentSession, FoundSession, RecordedCompaction } from './find/agent-session.ts'
export { auditSession } from './measure/audit-session.ts'
export type { AuditSessionOptions } from './measure/audit-session.ts'
