import { isRecord } from './json.ts'

const FAILURE_CODES = [
  'invalid-request',
  'forbidden',
  'not-found',
  'id-conflict',
  'busy',
  'nothing-to-compact',
  'nothing-to-undo',
  'undo-would-not-fit',
  'pin-too-large',
  'window-too-small',
  'cannot-fit',
  'payload-too-large',
  'provider-auth',
  'provider-limited',
  'provider-unavailable',
  'budget-exhausted',
  'store-unavailable',
  'internal',
] as const

/** What a failed turn or request is called, in the API's closed list of codes. */
export type FailureCode = (typeof FAILURE_CODES)[number]

/** Why an answer never came, or came in part: for people, never for the model. */
export interface Failure {
  readonly code: FailureCode
  readonly message: string
}

/** A code of a newer version becomes `internal`: the words beside it still say what happened. */
export function readFailure(value: unknown): Failure | undefined {
  if (!isRecord(value) || typeof value['message'] !== 'string') return undefined
  if (isCode(value['code'])) return value as unknown as Failure
  return { ...value, code: 'internal', message: value['message'] }
}

function isCode(value: unknown): value is FailureCode {
  return (FAILURE_CODES as readonly unknown[]).includes(value)
}
