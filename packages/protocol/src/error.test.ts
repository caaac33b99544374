import { describe, expect, it } from 'vitest'
import { apiErrorSchema, createErrorBody, errorCodeSchema, statusOf } from './error.ts'

describe('errors', () => {
  it.each(errorCodeSchema.options)('%s is told with a status of its own kind', (code) => {
    const body = createErrorBody(code, 'No.')
    expect(apiErrorSchema.parse(body)).toEqual(body)
    expect(statusOf(code)).toBeGreaterThanOrEqual(400)
  })

  it('only what may pass by itself is worth another try', () => {
    const retryable = errorCodeSchema.options.filter((code) => createErrorBody(code, '').error.retryable)
    expect(retryable).toEqual(['busy', 'provider-limited', 'provider-unavailable', 'store-unavailable'])
  })
})
