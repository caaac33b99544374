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

// Where agents keep their sessions, and what stands in them.
export { PUT_BACK } from './find/agent-session.ts'
export type { AgentSession, AgentTranscript, FoundSession, RecordedCompaction } from './find/agent-session.ts'
export { findSessions } from './find/find-sessions.ts'
export type { SessionSearch, SessionsFound } from './find/find-sessions.ts'
export { readSession } from './read/read-session.ts'
export type { SessionReading, SessionsRead } from './read/read-session.ts'
