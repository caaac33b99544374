import { z } from 'zod'

/** Every way in which the API says no, with the status it says it by and whether trying again may help. */
const ERRORS = {
  'invalid-request': { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  'not-found': { status: 404, retryable: false },
  'id-conflict': { status: 409, retryable: false },
  busy: { status: 409, retryable: true },
  'nothing-to-compact': { status: 409, retryable: false },
  'nothing-to-undo': { status: 409, retryable: false },
  'undo-would-not-fit': { status: 409, retryable: false },
  'pin-too-large': { status: 422, retryable: false },
  'window-too-small': { status: 422, retryable: false },
  'cannot-fit': { status: 422, retryable: false },
  'payload-too-large': { status: 413, retryable: false },
  'provider-auth': { status: 502, retryable: false },
  'provider-limited': { status: 503, retryable: true },
  'provider-unavailable': { status: 503, retryable: true },
  'budget-exhausted': { status: 402, retryable: false },
  'store-unavailable': { status: 503, retryable: true },
  internal: { status: 500, retryable: false },
} as const

export type ErrorCode = keyof typeof ERRORS

const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]

export const errorCodeSchema = z.enum(ERROR_CODES).meta({ id: 'ErrorCode' })

export const apiErrorSchema = z
  .object({ error: z.object({ code: errorCodeSchema, message: z.string(), retryable: z.boolean() }) })
  .meta({ id: 'Error' })

export type ApiErrorBody = z.infer<typeof apiErrorSchema>

export function statusOf(code: ErrorCode): (typeof ERRORS)[ErrorCode]['status'] {
  return ERRORS[code].status
}

export function createErrorBody(code: ErrorCode, message: string): ApiErrorBody {
  return { error: { code, message, retryable: ERRORS[code].retryable } }
}
