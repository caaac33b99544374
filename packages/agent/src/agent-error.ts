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
