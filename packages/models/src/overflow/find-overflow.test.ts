import { describe, expect, it } from 'vitest'
import { findOverflow } from './find-overflow.ts'

describe('findOverflow', () => {
  it('OPEN-15 knows a refusal by the words of the vendor, in whatever field a library keeps them', () => {
    const said = 'prompt is too long: 210000 tokens > 200000 maximum'
    const expected = { limitTokens: 200_000, actualTokens: 210_000 }
    const openai = {
      code: 'context_length_exceeded',
      message:
        "This model's maximum context length is 200000 tokens. However, your messages resulted in 210000 tokens.",
    }
    expect(findOverflow(said)).toEqual(expected)
    expect(findOverflow(Object.assign(new Error(`400 ${said}`), { status: 400 }))).toEqual(expected)
    expect(findOverflow({ statusCode: 400, message: '', responseBody: JSON.stringify({ error: openai }) })).toEqual(
      expected,
    )
    expect(findOverflow({ status: 400, error: openai })).toEqual(expected)
  })

  it('looks into errors that libraries wrapped', () => {
    const inner = Object.assign(new Error('context_length_exceeded'), { status: 400, code: 'context_length_exceeded' })
    expect(findOverflow(new Error('The run failed', { cause: inner }))).toEqual({})
    expect(findOverflow(Object.assign(new Error('Failed after 3 attempts'), { lastError: inner }))).toEqual({})
    const endless = new Error('round')
    endless.cause = endless
    expect(findOverflow(endless)).toBeNull()
  })

  it('takes nothing else for one', () => {
    for (const error of [null, undefined, 7, '', new Error('read ECONNRESET'), { status: 401, message: 'wrong key' }])
      expect(findOverflow(error)).toBeNull()
    expect(findOverflow(Object.assign(new Error('Rate limit reached'), { status: 429 }))).toBeNull()
  })
})
