export { longhaulProcessor } from './longhaul-processor.ts'
export type { LonghaulProcessor, LonghaulProcessorOptions } from './longhaul-processor.ts'
