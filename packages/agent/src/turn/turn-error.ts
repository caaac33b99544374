import type { ModelFailureKind } from '@longhaul/models/port'
import type { AgentErrorCode } from '../port/agent-event.ts'

/** How a provider's failure is called towards clients. */
export const FAILURE_CODES: Readonly<Record<ModelFailureKind, AgentErrorCode>> = {
  'input-overflow': 'cannot-fit',
  'output-overflow': 'cannot-fit',
  'request-too-large': 'payload-too-large',
  'thinking-binding': 'provider-unavailable',
  'invalid-request': 'invalid-request',
  'rate-limited': 'provider-limited',
  auth: 'provider-auth',
  'unknown-model': 'invalid-request',
  unavailable: 'provider-unavailable',
  timeout: 'provider-unavailable',
  interrupted: 'provider-unavailable',
  empty: 'provider-unavailable',
  refused: 'invalid-request',
  aborted: 'internal',
}
