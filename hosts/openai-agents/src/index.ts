// Longhaul inside the OpenAI Agents SDK: conversations of any length in the runs of its agents.
export { longhaulFilter } from './longhaul-filter.ts'
export type { LonghaulFilter, LonghaulFilterOptions } from './longhaul-filter.ts'
