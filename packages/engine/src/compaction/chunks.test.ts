import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCutPoints } from '../messages/cut-points.ts'
import { resolveLimits } from '../policy/limits.ts'
import { PRESETS } from '../policy/presets.ts'
import { applyForms } from '../pruning/apply-form.ts'
import { arbitraryItems } from '../testing/arbitrary-conversation.ts'
import { assistant, call, items, reasoning, result, tool, user } from '../testing/build-conversation.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'
import { chunkCallTokens, findChunkRatio, planChunks, planSingleText } from './chunks.ts'
import { renderSpan } from './summariser-input.ts'

const limits = resolveLimits(PRESETS.openclaw, { windowTokens: 200_000 })
if (limits === null) throw new Error('no limits')
const options = { limits, estimator: 'plain', preview: null, besideTokens: 0, ratio: 1 } as const
const tokensOf = (text: string): number => estimateField(text, 'plain')
/** A message of about this many tokens, label included. */
const say = (tokens: number) => user('x'.repeat(tokens * 4 - 6))

describe('findChunkRatio', () => {
  test('OPEN-13 is 0.4 of the window, down to 0.15 when messages are large', () => {
    expect(findChunkRatio(100, 200_000)).toBe(0.4)
    expect(findChunkRatio(16_000, 200_000)).toBe(0.4)
    expect(findChunkRatio(20_000, 200_000)).toBeCloseTo(0.4 - 0.24)
    expect(findChunkRatio(90_000, 200_000)).toBe(0.15)
  })

  test('OPEN-13 never leaves 0.15 to 0.4', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1 }), (average, window) => {
        const ratio = findChunkRatio(average, window)
        expect(ratio).toBeGreaterThanOrEqual(0.15)
        expect(ratio).toBeLessThanOrEqual(0.4)
      }),
    )
  })
})

describe('chunkCallTokens', () => {
  test('OPEN-13 keeps 20,000 tokens free for the compaction call', () => {
    expect(chunkCallTokens({ windowTokens: 200_000, summaryInputTokens: 195_000 })).toBe(180_000)
  })

  test('LH-04 keeps at most a quarter of a small window free', () => {
    expect(chunkCallTokens({ windowTokens: 32_000, summaryInputTokens: 30_000 })).toBe(24_000)
  })

  test('SPEC-06 never exceeds what the summary model takes', () => {
    expect(chunkCallTokens({ windowTokens: 1_000_000, summaryInputTokens: 195_000 })).toBe(195_000)
  })
})

describe('planChunks', () => {
  test('OPEN-13 leaves a span within one chunk in one', () => {
    const span = items(...Array.from({ length: 60 }, () => say(1_000)))
    const { chunks } = planChunks(span, options)
    expect(chunks).toHaveLength(1)
    expect(chunks[0]?.text).toBe(renderSpan(span, { preview: null }))
  })

  test('OPEN-13 splits a long span by token share, with the safety margin of 1.2', () => {
    const span = items(...Array.from({ length: 150 }, () => say(1_000)))
    const sizes = planChunks(span, options).chunks.map((chunk) => tokensOf(chunk.text))
    expect(sizes).toHaveLength(3)
    for (const size of sizes) {
      expect(size).toBeLessThanOrEqual((200_000 * 0.4) / 1.2)
      expect(size).toBeGreaterThan(48_000)
    }
  })

  test('OPEN-13 makes smaller chunks when messages are large', () => {
    const span = items(...Array.from({ length: 8 }, () => say(40_000)))
    const { chunks } = planChunks(span, options)
    expect(chunks.map((chunk) => chunk.items.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  test('OPEN-13 leaves a message over half the window out, with a note, and reads the rest', () => {
    const span = items(user('before'), say(120_000), assistant('after'))
    const plan = planChunks(span, options)
    const note = '[Large user message (~120K tokens) left out of the summary]'
    expect(plan.chunks).toHaveLength(1)
    expect(plan.chunks[0]?.text).toBe(`User: before\n\n${note}\n\nAssistant: after`)
    expect(plan.leftOut).toEqual([{ item: span[1], note }])
    expect(plan.isReadable).toBe(true)
  })

  test('reads a message of exactly half the window', () => {
    expect(planChunks(items(say(100_000)), options).leftOut).toEqual([])
  })

  test('does not leave out what a preview makes short', () => {
    const span = items(assistant(call('a')), tool(result('a', 'x'.repeat(900_000))))
    expect(planChunks(span, { ...options, preview: PRESETS.longhaul.compaction.preview }).leftOut).toEqual([])
    expect(planChunks(span, options).leftOut[0]?.note).toBe(
      '[Large tool message (~225K tokens) left out of the summary]',
    )
  })

  test('cuts the middle of a group of tools that no call can hold', () => {
    const calls = Array.from({ length: 4 }, (_, index) => `c${index}`)
    const span = items(
      assistant(...calls.map((id) => call(id))),
      ...calls.map((id) => tool(result(id, id.repeat(190_000)))),
    )
    const { chunks, leftOut } = planChunks(span, options)
    expect(leftOut).toEqual([])
    expect(chunks).toHaveLength(1)
    expect(chunks[0]?.text).toContain('characters left out …]')
    expect(tokensOf(chunks[0]?.text ?? '')).toBeLessThanOrEqual(180_000)
  })

  test('sees that there is nothing to read', () => {
    expect(planChunks([], options)).toEqual({ chunks: [], leftOut: [], isReadable: false })
    expect(planChunks(items(assistant(reasoning('hm'))), options).isReadable).toBe(false)
    expect(planChunks(items(say(150_000)), options).isReadable).toBe(false)
  })

  test('MICRO-05 partitions the span in order, never splits a pair, and every text fits its call', () => {
    const windows = fc.integer({ min: 40, max: 20_000 })
    fc.assert(
      fc.property(arbitraryItems(20), windows, fc.constantFrom('plain', 'classes'), (span, windowTokens, estimator) => {
        const small = resolveLimits(PRESETS.openclaw, { windowTokens })
        if (small === null) throw new Error('no limits')
        const { chunks } = planChunks(span, { limits: small, estimator, preview: null, besideTokens: 0 })
        expect(chunks.flatMap((chunk) => chunk.items.map(({ item }) => item))).toEqual(span)
        const cuts = findCutPoints(span.map((item) => item.message))
        let start = 0
        for (const { items: own, text } of chunks) {
          expect(own.length).toBeGreaterThan(0)
          expect(start === 0 || cuts.isLegal(start)).toBe(true)
          expect(estimateField(text, estimator)).toBeLessThanOrEqual(small.summaryInputTokens)
          start += own.length
        }
      }),
    )
  })
})

describe('planSingleText', () => {
  test('MICRO-07 caps the text at 100,000 characters', () => {
    const span = items(...Array.from({ length: 150 }, () => say(1_000)))
    const { chunks } = planSingleText(span, { ...options, maxChars: 100_000 })
    expect(chunks).toHaveLength(1)
    expect(chunks[0]?.text.length).toBeLessThanOrEqual(100_000)
    expect(chunks[0]?.items.map(({ item }) => item)).toEqual(span)
  })

  test('LH-04 caps the text by what the summary model takes', () => {
    const span = items(...Array.from({ length: 150 }, () => say(1_000)))
    const small = { windowTokens: 200_000, summaryInputTokens: 9_000 }
    const { chunks } = planSingleText(span, { ...options, limits: small, besideTokens: 1_000, maxChars: null })
    expect(tokensOf(chunks[0]?.text ?? '')).toBeLessThanOrEqual(8_000)
    expect(tokensOf(chunks[0]?.text ?? '')).toBeGreaterThan(7_500)
  })
})

describe('pruned results', () => {
  const clear = (item: Item): Item => {
    const forms = new Map(
      item.entry.parts.map((_, index) => [index, { form: 'cleared', placeholder: '[gone]' } as const]),
    )
    return { ...item, forms, message: applyForms(item.entry, forms) }
  }
  const work = (count: number, chars: number): readonly Item[] =>
    items(
      ...Array.from({ length: count }, (_, index) => [
        assistant(`step ${index}`, call(`c${index}`)),
        tool(result(`c${index}`, `result ${index} ${'y'.repeat(chars)}`)),
      ]).flat(),
    ).map((item) => (item.entry.role === 'tool' ? clear(item) : item))

  test('SPEC-09 chunks hold them as stored, and are planned by the size of that', () => {
    const { chunks } = planChunks(work(20, 30_000), options)
    expect(chunks.length).toBeGreaterThan(1)
    const text = chunks.map((chunk) => chunk.text).join('\n')
    for (let index = 0; index < 20; index += 1) expect(text).toContain(`result ${index} yyy`)
    for (const chunk of chunks) {
      expect(tokensOf(chunk.text)).toBeLessThanOrEqual((200_000 * 0.4) / 1.2)
      expect(chunk.items.every(({ state }) => state === 'verbatim')).toBe(true)
    }
  })

  test('SPEC-09 a message that only its pruned form made small is shown by head and tail, not left out', () => {
    const large = Array.from({ length: 20 }, (_, index) => result(`c${index}`, `result ${index} ${'y'.repeat(30_000)}`))
    const span = items(assistant(...large.map(({ toolCallId }) => call(toolCallId))), tool(...large)).map(clear)
    const plan = planChunks(span, options)
    expect(plan.leftOut).toEqual([])
    expect(plan.chunks[0]?.text).toContain('result 19 yyy')
    expect(plan.chunks[0]?.items.at(-1)?.state).toBe('soft-trimmed')
  })

  test('SPEC-09 in one text, results are shortened before any message is cut', () => {
    const span = work(60, 30_000)
    const { chunks } = planSingleText(span, { ...options, maxChars: null })
    const text = chunks[0]?.text ?? ''
    for (let index = 0; index < 60; index += 1) {
      expect(text).toContain(`step ${index}`)
      expect(text).toContain(`result ${index} yyy`)
    }
    expect(text).not.toContain('[gone]')
  })

  test('SPEC-09 LH-01 one text is sized by what the model bills, with a margin, not by the bare estimate', () => {
    const sizeAt = (count: number, ratio: number): number =>
      tokensOf(planSingleText(work(count, 30_000), { ...options, ratio, maxChars: null }).chunks[0]?.text ?? '') * ratio
    expect(sizeAt(20, 1)).toBeGreaterThan(150_000)
    // 187,500 by the estimate would just fit, and be refused by a model that counts a third more.
    expect(sizeAt(25, 1)).toBeLessThan(20_000)
    expect(sizeAt(20, 4 / 3)).toBeLessThan(20_000)
    const words = items(...Array.from({ length: 60 }, () => say(5_000)))
    const { chunks } = planSingleText(words, { ...options, ratio: 4 / 3, maxChars: null })
    expect(tokensOf(chunks[0]?.text ?? '') * (4 / 3)).toBeLessThanOrEqual(limits.summaryInputTokens)
  })

  test('SPEC-09 in one text that fits, results are whole', () => {
    const text = planSingleText(work(10, 30_000), { ...options, maxChars: null }).chunks[0]?.text ?? ''
    expect(text).toContain(`result 9 ${'y'.repeat(30_000)}`)
  })
})
