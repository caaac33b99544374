import fc from 'fast-check'
import { countTokens as countExactly } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { loadCountTokens } from './count-tokens.ts'

const prose = 'The quick brown fox jumps over the lazy dog, and 42 other animals watch it. '

describe('loadCountTokens', () => {
  it('counts short texts exactly', async () => {
    const count = await loadCountTokens()
    expect(count('')).toBe(0)
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => count(text) === countExactly(text)))
  })

  it('counts long prose exactly, because it is cut between words', async () => {
    const count = await loadCountTokens()
    expect(count(prose.repeat(100))).toBe(countExactly(prose.repeat(100)))
  })

  it('is within one per cent on text without spaces', async () => {
    const count = await loadCountTokens()
    const text = '端口号已经改成九千零九十，请大家注意更新配置文件。'.repeat(60)
    const exact = countExactly(text)
    expect(count(text)).toBeGreaterThanOrEqual(exact)
    expect(count(text)).toBeLessThanOrEqual(exact * 1.01)
  })

  it('takes special tokens for text and survives half characters', async () => {
    const count = await loadCountTokens()
    expect(count('<|endoftext|><|im_start|>')).toBeGreaterThan(2)
    expect(count('\ud83d'.repeat(3_000))).toBeGreaterThan(0)
    expect(count('😀'.repeat(3_000))).toBe(3_000)
  })

  it('reads 200,000 equal characters in bounded work', async () => {
    const count = await loadCountTokens()
    expect(count('漢'.repeat(200_000))).toBeGreaterThan(100_000)
  })
})
