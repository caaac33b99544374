// Reports and sessions to test with.
export { createCompaction, createExampleReport, createReport, createSession } from './testing/create-report.ts'
export { writeClaudeCodeSession } from './testing/write-claude-code-session.ts'
export type { WrittenSession } from './testing/write-claude-code-session.ts'
