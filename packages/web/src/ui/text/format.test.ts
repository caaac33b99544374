import { describe, expect, it } from 'vitest'
import { formatCount, formatNumber, formatShare, formatShort, formatTokens, formatUsd, formatWhen } from './format.ts'

describe('numbers for people', () => {
  it('are grouped where there is room and short where there is none', () => {
    expect(formatNumber(18_204)).toBe('18,204')
    expect([999, 18_204, 128_000, 999_499, 999_501, 1_048_576].map(formatShort)).toEqual([
      '999',
      '18.2k',
      '128k',
      '999k',
      '1M',
      '1.05M',
    ])
  })

  it('agree with their noun', () => {
    expect(formatTokens(1)).toBe('1 token')
    expect(formatTokens(12_345)).toBe('12,345 tokens')
    expect(formatCount(2, 'reply', 'replies')).toBe('2 replies')
  })

  it('never call something nothing', () => {
    expect([0, 0.001, 0.0149, 0.5, 1].map(formatShare)).toEqual(['0 %', '<1 %', '1 %', '50 %', '100 %'])
    expect([0, 0.00123, 0.25, 12].map(formatUsd)).toEqual(['$0.00', '$0.0012', '$0.25', '$12.00'])
  })

  it('leave the day out while it is today', () => {
    const at = new Date(2026, 10, 15, 9, 5).getTime()
    expect(formatWhen(at, at)).toBe('09:05')
    expect(formatWhen(at, new Date(2026, 10, 16, 9).getTime())).toBe('15 Nov, 09:05')
  })
})
