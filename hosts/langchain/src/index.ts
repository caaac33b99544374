// Longhaul inside LangChain: conversations of any length in the agents of `createAgent`.
export { longhaulMiddleware } from './longhaul-middleware.ts'
export type { LonghaulMiddlewareOptions } from './longhaul-middleware.ts'
