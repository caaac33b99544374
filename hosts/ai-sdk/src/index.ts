// Longhaul inside the AI SDK: conversations of any length in `generateText`, `streamText` and agents.
export { longhaul } from './longhaul.ts'
export type { Longhaul, LonghaulOptions, PreparedStep, StepToPrepare } from './longhaul.ts'
