import { describe, expect, it } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const nowMs = Date.parse('2026-11-15T12:00:00Z')

function read(headers: Record<string, string>, text = '', delay: string | null = null): number | null {
  return readRetryAfter({ headers: new Map(Object.entries(headers)), text, delay, nowMs })
}

describe('readRetryAfter', () => {
  it.each([
    ['2', 2_000],
    ['0.5', 500],
    [' 30 ', 30_000],
    ['0', 0],
    ['Sun, 15 Nov 2026 12:00:20 GMT', 20_000],
    ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
    ['99999999', 86_400_000],
  ])('reads the header %j', (value, waitMs) => {
    expect(read({ 'retry-after': value })).toBe(waitMs)
  })

  it.each(['', 'soon', '-5', 'NaN', 'Infinity', '1e9', 'abc 5', '5 apples'])('does not guess at %j', (value) => {
    expect(read({ 'retry-after': value })).toBeNull()
  })

  it('prefers milliseconds, then the header, then the body, then the text', () => {
    const text = 'Please try again in 9s.'
    expect(read({ 'retry-after-ms': '1500', 'retry-after': '2' }, text, '5s')).toBe(1_500)
    expect(read({ 'retry-after': '2' }, text, '5s')).toBe(2_000)
    expect(read({}, text, '5s')).toBe(5_000)
    expect(read({}, text)).toBe(9_000)
  })

  it.each([
    ['Rate limit reached for gpt-4o. Limit: 30000. Please try again in 20s. Visit the page', 20_000],
    ['Please try again in 6m0s.', 360_000],
    ['Please try again in 1h2m3.5s', 3_723_500],
    ['Please try again in 850ms.', 850],
    ['Please retry in 41.482961999s.', 41_483],
    ['Retry after 20 seconds.', 20_000],
    ['Try again in 5 minutes', 300_000],
  ])('reads the text %j', (text, waitMs) => {
    expect(read({}, text)).toBe(waitMs)
  })

  it.each(['try again later', 'try again in a moment', 'try again in 20sausages', 'in 20s'])(
    'finds no time in %j',
    (text) => {
      expect(read({}, text)).toBeNull()
    },
  )
})
