import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSilentOverflow } from './find-silent-overflow.ts'
import type { FinishedAnswer } from './find-silent-overflow.ts'

const fine: FinishedAnswer = {
  usage: { input: 10_000, output: 200 },
  finish: 'stop',
  outputIsEmpty: false,
  windowTokens: 32_768,
  expectedInputTokens: 10_200,
  mayCutPrompts: true,
}

function find(change: Partial<FinishedAnswer>) {
  return findSilentOverflow({ ...fine, ...change })
}

describe('findSilentOverflow', () => {
  it('finds nothing wrong with an ordinary answer', () => {
    expect(find({})).toBeNull()
    expect(find({ usage: null })).toBeNull()
    expect(find({ windowTokens: null, expectedInputTokens: null })).toBeNull()
    expect(find({ finish: 'length' })).toBeNull()
    expect(find({ usage: { input: 32_768, output: 1 }, expectedInputTokens: 32_000 })).toBeNull()
  })

  it('z.ai: usage above the window that left no room is an overflow, and teaches no limit that we had named ourselves', () => {
    expect(find({ usage: { input: 40_000, output: 10 } })).toBeNull()
    expect(find({ usage: { input: 40_000, output: 10 }, finish: 'length' })).toMatchObject({
      kind: 'input-overflow',
      isRetryable: false,
      tokens: { actual: 40_000, limit: null },
    })
  })

  it('Xiaomi: a full window and an output of nothing, ended by length', () => {
    const cut = { finish: 'length', outputIsEmpty: true } as const
    expect(find({ ...cut, usage: { input: 32_500, output: 0 } })?.kind).toBe('input-overflow')
    expect(find({ ...cut, usage: { input: 20_000, output: 0 } })?.kind).toBe('empty')
  })

  it('does not take thinking that used up the output for silence', () => {
    expect(find({ finish: 'length', outputIsEmpty: true, usage: { input: 9_000, output: 4_096 } })).toBeNull()
  })

  it('LM Studio: an empty stream is an overflow where the prompt filled the window, else just empty', () => {
    const empty = { outputIsEmpty: true, usage: null } as const
    expect(find({ ...empty, expectedInputTokens: 33_000 })?.kind).toBe('input-overflow')
    expect(find(empty)).toMatchObject({ kind: 'empty', isRetryable: true })
    expect(find({ ...empty, windowTokens: null })?.kind).toBe('empty')
  })

  it.each([
    [2_050, 7_900, 4_096],
    [16_387, 160_689, 32_768],
    [16_386, 50_000, 32_768],
    [32_770, 70_000, 65_536],
    [5_002, 12_000, 10_000],
    [2_048, 3_940, 2_048],
  ])('Ollama: %i tokens read of %i are a prompt cut to fit %i', (input, expectedInputTokens, limit) => {
    const found = find({ usage: { input, output: 50 }, expectedInputTokens, windowTokens: 200_000 })
    expect(found).toMatchObject({ kind: 'input-overflow', tokens: { actual: null, limit } })
  })

  it('a vendor that refuses what is too long cuts nothing, whatever its count', () => {
    const usage = { input: 2_050, output: 50 }
    expect(find({ usage, expectedInputTokens: 7_900, mayCutPrompts: false })).toBeNull()
  })

  it('does not take a low count alone for a cut: the endpoint may leave its cache out', () => {
    expect(find({ usage: { input: 37, output: 50 }, expectedInputTokens: 20_000 })).toBeNull()
    expect(find({ usage: { input: 3_333, output: 50 }, expectedInputTokens: 20_000 })).toBeNull()
  })

  it('does not take a cut-like count for a cut where the estimate is near, small or missing, or a cache was counted', () => {
    const usage = { input: 2_050, output: 50 }
    expect(find({ usage, expectedInputTokens: 3_300 })).toBeNull()
    expect(find({ usage: { input: 514, output: 5 }, expectedInputTokens: 990 })).toBeNull()
    expect(find({ usage, expectedInputTokens: null })).toBeNull()
    expect(find({ usage: { ...usage, cacheRead: 1_800 }, expectedInputTokens: 20_000 })).toBeNull()
  })

  it('is never wrong about a full answer to a prompt that was read as a whole', () => {
    fc.assert(
      fc.property(fc.nat(200_000), fc.double({ min: 0.7, max: 1.6, noNaN: true }), (input, error) => {
        const expectedInputTokens = Math.round(input * error)
        expect(find({ usage: { input, output: 1 }, expectedInputTokens, windowTokens: 200_000 })).toBeNull()
      }),
    )
  })
})
