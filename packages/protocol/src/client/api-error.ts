import type { ApiErrorBody, ErrorCode } from '../error.ts'

/** The server said no, or could not be reached (`code` is null then). */
export class ApiError extends Error {
  readonly code: ErrorCode | null
  readonly status: number | null
  readonly retryable: boolean

  private constructor(message: string, details: Pick<ApiError, 'code' | 'status' | 'retryable'>) {
    super(message)
    this.name = 'ApiError'
    this.code = details.code
    this.status = details.status
    this.retryable = details.retryable
  }

  static async fromResponse(response: Response): Promise<ApiError> {
    const { status } = response
    const body = (await response.json().catch(() => null)) as Partial<ApiErrorBody> | null
    const { code = null, message = `The server answered ${status}.`, retryable = status >= 500 } = body?.error ?? {}
    return new ApiError(message, { code, status, retryable })
  }

  static unreachable(): ApiError {
    return new ApiError('The server cannot be reached.', { code: null, status: null, retryable: true })
  }
}
