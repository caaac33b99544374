import { EngineError } from '@longhaul/engine/advanced'
import type { StoreErrorCode } from '@longhaul/store/port'
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

/**
 * Whatever was thrown, as clients may hear of it; the original is its `cause`. What nobody expected, and what a database
 * says of itself, may hold paths, addresses or pieces of text: clients get words of our own instead.
 */
export function toAgentError(error: unknown): AgentError {
  if (error instanceof AgentError) return error
  if (error instanceof EngineError) return new AgentError('invalid-request', error.message, { cause: error })
  const code = isStoreError(error) ? codeOfStoreError(error) : 'internal'
  const words = isStoreError(error) && error.isFull === true ? STORE_IS_FULL : SAFE_WORDS[code]
  return new AgentError(code, words ?? describeError(error), { cause: error })
}

const STORE_CODES: Readonly<Record<StoreErrorCode, AgentErrorCode>> = {
  'not-found': 'not-found',
  'id-conflict': 'id-conflict',
  invalid: 'invalid-request',
  'not-empty': 'invalid-request',
  'unreadable-transcript': 'invalid-request',
  'unreadable-backup': 'invalid-request',
  // Another process works on the session.
  'lease-lost': 'busy',
  'out-of-order': 'busy',
  'epoch-passed': 'busy',
  unavailable: 'store-unavailable',
  closed: 'store-unavailable',
  'newer-schema': 'store-unavailable',
  damaged: 'internal',
}

const SAFE_WORDS: Readonly<Partial<Record<AgentErrorCode, string>>> = {
  'store-unavailable': 'The store cannot be used at the moment. Try again in a while; the log says more.',
  internal: 'Something went wrong that should not have. The log says more.',
}

const STORE_IS_FULL =
  'The disk of the store is full. Free some space: messages that were taken are kept, and answered once there is room.'

/** Known by its name: a store of your own may throw one of its own. */
function isStoreError(error: unknown): error is Error & { readonly code?: unknown; readonly isFull?: unknown } {
  return error instanceof Error && error.name === 'StoreError'
}

function codeOfStoreError({ code }: { readonly code?: unknown }): AgentErrorCode {
  const isKnown = typeof code === 'string' && Object.hasOwn(STORE_CODES, code)
  return isKnown ? STORE_CODES[code as StoreErrorCode] : 'store-unavailable'
}

/** For logs and for models: in its own words. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Another process has the session now, and goes on with what waits. */
export function isLeaseLost(error: unknown): boolean {
  return isStoreError(error) && error.code === 'lease-lost'
}
