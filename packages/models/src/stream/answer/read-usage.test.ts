import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { readEarlyUsage, readUsage } from './read-usage.ts'

type Input = Partial<LanguageModelV4Usage['inputTokens']>
type Output = Partial<LanguageModelV4Usage['outputTokens']>

function usage(input: Input, output: Output = {}): LanguageModelV4Usage {
  return {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined, ...input },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined, ...output },
  }
}

describe('readUsage', () => {
  it('counts all that was sent, cached or not', () => {
    const reported = usage(
      { total: 32_100, noCache: 100, cacheRead: 30_000, cacheWrite: 2_000 },
      { total: 50, reasoning: 20 },
    )
    expect(readUsage(reported, undefined)).toEqual({
      input: 32_100,
      output: 50,
      cacheRead: 30_000,
      cacheWrite: 2_000,
      reasoning: 20,
    })
  })

  it('adds up what comes without a sum', () => {
    expect(readUsage(usage({ noCache: 10, cacheRead: 5 }, { text: 3, reasoning: 2 }), undefined)).toEqual({
      input: 15,
      output: 5,
      cacheRead: 5,
      reasoning: 2,
    })
  })

  it('is nothing where nothing, zeros or nonsense were reported', () => {
    expect(readUsage(usage({}), undefined)).toBeNull()
    expect(readUsage(usage({ total: 0 }, { total: 0 }), undefined)).toBeNull()
    expect(readUsage(usage({ total: Number.NaN }, { total: -1 }), undefined)).toBeNull()
  })

  it('of a call in which Anthropic compacted is that of its last message', () => {
    const iterations = [
      { type: 'compaction', inputTokens: 180_000, outputTokens: 3_000 },
      { type: 'message', inputTokens: 23_000, outputTokens: 1_000, cacheReadInputTokens: 500 },
    ]
    const reported = usage({ total: 203_500, cacheRead: 500, cacheWrite: 0 }, { total: 4_000 })
    expect(readUsage(reported, { anthropic: { iterations } })).toEqual({
      input: 23_500,
      output: 1_000,
      cacheRead: 500,
      cacheWrite: 0,
    })
    const plain = [{ type: 'message', inputTokens: 0, outputTokens: 0 }, { type: 'fallback_message' }]
    expect(readUsage(usage({ total: 10 }, { total: 1 }), { anthropic: { iterations: plain } })).toEqual({
      input: 10,
      output: 1,
    })
  })
})

describe('readEarlyUsage', () => {
  it('reads what Anthropic says before it answers, and nothing else', () => {
    expect(readEarlyUsage({ anthropic: { usage: { input_tokens: 7, output_tokens: 1 } } })).toEqual({
      input: 7,
      output: 1,
    })
    expect(readEarlyUsage({ anthropic: { type: 'fallback' } })).toBeNull()
    expect(readEarlyUsage({ openai: { type: 'compaction' } })).toBeNull()
    expect(readEarlyUsage(undefined)).toBeNull()
  })
})
