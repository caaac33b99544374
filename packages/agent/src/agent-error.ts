import type { AgentErrorCode } from './port/agent-event.ts'

/** What cannot be done, by the API's closed list of codes. The message says what to do next. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: AgentErrorCode

  constructor(code: AgentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What went wrong where nobody expected it: of the store, it may work again later. */
export function codeOfError(error: unknown): AgentErrorCode {
  if (error instanceof AgentError) return error.code
  return error instanceof Error && error.name === 'StoreError' ? 'store-unavailable' : 'internal'
}

/** Another process has the session now, and goes on with what waits. */
export function isLeaseLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'lease-lost'
}
