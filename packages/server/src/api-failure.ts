import type { Context } from 'hono'
import { createErrorBody, statusOf } from '@longhaul/protocol'
import type { ErrorCode } from '@longhaul/protocol'
import { toAgentError } from '@longhaul/runtime'

/** Where the usual status of a code says too little. */
type OwnStatus = 408 | 409 | 415

/** A no that the server itself has to say; what agents and stores say is mapped to it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: ErrorCode
  readonly status: ReturnType<typeof statusOf> | OwnStatus

  constructor(code: ErrorCode, message: string, status: ApiFailure['status'] = statusOf(code)) {
    super(message)
    this.code = code
    this.status = status
  }
}

export function answerFailure(
  context: Context,
  code: ErrorCode,
  message: string,
  status: ApiFailure['status'] = statusOf(code),
): Response {
  return context.json(createErrorBody(code, message), status)
}

/** The id is taken by something else. */
export function isConflict(error: unknown): boolean {
  return toAgentError(error).code === 'id-conflict'
}
