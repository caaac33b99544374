// Reports to test with.
export { createCompaction, createExampleReport, createReport, createSession } from './testing/create-report.ts'
