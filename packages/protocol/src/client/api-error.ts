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

  /** Not done yet, and not to be sent again: it is stored, and done later. The server says when. */
  static async stored(response: Response): Promise<ApiError> {
    const body = (await response.json().catch(() => null)) as { readonly message?: string } | null
    const message = body?.message ?? 'This is stored and will be done later; no need to ask again.'
    return new ApiError(message, { code: 'busy', status: response.status, retryable: false })
  }

  static unreachable(): ApiError {
    return new ApiError('The server cannot be reached.', { code: null, status: null, retryable: true })
  }
}
