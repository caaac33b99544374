import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryEntries } from '../testing/arbitrary-conversation.ts'
import { assistant, entry, reasoning, user } from '../testing/build-conversation.ts'
import type { EntryFields } from '../testing/build-conversation.ts'
import { estimateMessage } from './estimate-message.ts'
import { UNCALIBRATED, readMeter } from './meter.ts'
import type { Calibration, Reading } from './meter.ts'
import { createLink } from './hash.ts'
import { tracePrefix } from './trace-prefix.ts'
import type { PrefixItem } from './trace-prefix.ts'

const MODEL = 'anthropic/one'

function said(seq: number, tokens: number): PrefixItem {
  const key = `m${seq}`
  return {
    key,
    link: createLink(key),
    tokens,
    entry: entry(seq, user('hi')),
    isEdited: false,
    hasReasoning: false,
    reasoningTokens: 0,
    frames: 0,
    numberedLines: 0,
  }
}

function answered(seq: number, tokens: number, fields: EntryFields, hasReasoning = false): PrefixItem {
  const message = hasReasoning ? assistant(reasoning('hm'), 'yes') : assistant('yes')
  return {
    key: `m${seq}`,
    link: createLink(`m${seq}`),
    tokens,
    entry: entry(seq, message, { model: MODEL, ...fields }),
    isEdited: false,
    hasReasoning,
    reasoningTokens: 0,
    frames: 0,
    numberedLines: 0,
  }
}

interface MeasureOptions {
  readonly environmentTokens?: number | null
  readonly calibration?: Calibration
}

function measure(items: readonly PrefixItem[], options: MeasureOptions = {}): Reading {
  const { environmentTokens = 500, calibration = UNCALIBRATED } = options
  const trace = tracePrefix(items, { environmentHash: 'environment', model: MODEL, isEdited: false })
  return readMeter({ items, trace, model: MODEL, environmentTokens, calibration })
}

describe('readMeter', () => {
  it('ONE-05 takes reported usage for what it covers and estimates the rest', () => {
    const items = [said(1, 99), answered(2, 99, { usage: { input: 1_000, output: 50 } }), said(3, 20), said(4, 3)]
    expect(measure(items)).toStrictEqual({ source: 'reported', tokens: 1_073, reportedTokens: 1_050 })
  })

  it('ONE-05 counts cached input once: it is part of the input', () => {
    const usage = { input: 1_000, output: 50, cacheRead: 900, cacheWrite: 80 }
    expect(measure([said(1, 9), answered(2, 9, { usage })])).toMatchObject({ tokens: 1_050 })
  })

  it('takes the latest bill, never a sum of bills', () => {
    const items = [
      said(1, 9),
      answered(2, 9, { usage: { input: 1_000, output: 50 } }),
      said(3, 9),
      answered(4, 9, { usage: { input: 1_100, output: 60 } }),
    ]
    expect(measure(items)).toMatchObject({ source: 'reported', tokens: 1_160 })
  })

  it('estimates everything, system prompt and tools included, while nothing was billed', () => {
    expect(measure([said(1, 20), said(2, 5)])).toStrictEqual({ source: 'estimated', tokens: 525, reportedTokens: 0 })
    expect(measure([])).toStrictEqual({ source: 'estimated', tokens: 500, reportedTokens: 0 })
  })

  it('says that it does not know where system prompt and tools are missing', () => {
    expect(measure([said(1, 20)], { environmentTokens: null })).toStrictEqual({
      source: 'unknown',
      tokens: null,
      reportedTokens: 0,
    })
  })

  it('knows without system prompt and tools where a bill covers them', () => {
    const items = [said(1, 9), answered(2, 9, { usage: { input: 1_000, output: 50 } }), said(3, 20)]
    expect(measure(items, { environmentTokens: null })).toMatchObject({ source: 'reported', tokens: 1_070 })
  })

  it('does not let a bill from before an edit trigger anything again', () => {
    const full = [said(1, 90_000), answered(2, 10, { usage: { input: 180_000, output: 50 } }), said(3, 20)]
    expect(measure(full)).toMatchObject({ tokens: 180_070 })
    const cleared = { ...said(1, 12), key: 'm1|0:cleared', isEdited: true }
    expect(measure([cleared, ...full.slice(1)])).toMatchObject({ source: 'estimated', tokens: 12 + 50 + 20 + 500 })
  })

  it('LH-01 takes an answer for what its own bill says, where the bill no longer covers what stands before it', () => {
    const calibration = { ...UNCALIBRATED, ratio: 2, overheadTokens: 300 }
    const cleared = { ...said(1, 10), key: 'm1|0:cleared', isEdited: true }
    const answer = answered(2, 40, { usage: { input: 9_000, output: 70 } })
    expect(measure([cleared, answer, said(3, 5)], { calibration })).toStrictEqual({
      source: 'estimated',
      tokens: 70 + (10 + 5 + 500) * 2 + 300,
      reportedTokens: 70,
    })
  })

  it.each<[string, EntryFields]>([
    ['counted the first chunk only', { usage: { input: 9_000, output: 1 } }],
    ['is another model’s', { model: 'openai/two', usage: { input: 9_000, output: 70 } }],
    ['is of a cancelled call', { finish: 'aborted', usage: { input: 9_000, output: 70 } }],
  ])('LH-01 estimates an answer whose bill %s', (_, fields) => {
    const cleared = { ...said(1, 10), key: 'm1|0:cleared', isEdited: true }
    expect(measure([cleared, answered(2, 40, fields)])).toMatchObject({ tokens: 550, reportedTokens: 0 })
  })

  it('LH-01 applies what it learnt to the unbilled rest only', () => {
    const calibration = { ...UNCALIBRATED, ratio: 1.5, overheadTokens: 300 }
    const items = [said(1, 99), answered(2, 44, { usage: { input: 1_000, output: 50 } }), said(3, 21)]
    expect(measure(items, { calibration })).toMatchObject({ tokens: 1_050 + 32, reportedTokens: 1_050 })
    expect(measure([said(1, 21)], { calibration })).toMatchObject({ tokens: Math.ceil(521 * 1.5 + 300) })
  })

  it('counts reasoning that is sent again, and leaves out what the provider keeps to itself', () => {
    const usage = { input: 1_000, output: 500, reasoning: 400 }
    expect(measure([said(1, 9), answered(2, 9, { usage }, true)])).toMatchObject({ tokens: 1_500 })
    expect(measure([said(1, 9), answered(2, 9, { usage }, false)])).toMatchObject({ tokens: 1_100 })
  })

  it.each([
    ['counted the first chunk only', { input: 1_000, output: 1 }],
    ['takes out more reasoning than there was output', { input: 1_000, output: 500, reasoning: 900 }],
  ])('LH-01 keeps the input of the newest bill and estimates its answer, if that bill %s', (_, usage) => {
    const items = [said(1, 99), answered(2, 60, { usage }), said(3, 20)]
    expect(measure(items)).toStrictEqual({ source: 'reported', tokens: 1_080, reportedTokens: 1_000 })
  })

  it('LH-01 estimates the newest billed answer where it was edited since', () => {
    const answer = answered(2, 400, { usage: { input: 1_000, output: 450 } })
    expect(measure([said(1, 99), answer])).toMatchObject({ tokens: 1_450 })
    expect(measure([said(1, 99), { ...answer, tokens: 30, isEdited: true }])).toMatchObject({ tokens: 1_030 })
  })

  it('LH-01 adds to tool calls what they were learnt to take, and believes bills by that', () => {
    const calibration = { ...UNCALIBRATED, frameTokens: 40 }
    const called = (output: number) => ({ ...answered(2, 30, { usage: { input: 1_000, output } }), frames: 1 })
    expect(measure([said(1, 9), called(69)], { calibration })).toMatchObject({ tokens: 1_069 })
    expect(measure([said(1, 9), called(25)], { calibration })).toMatchObject({ tokens: 1_070, reportedTokens: 1_000 })
    expect(measure([said(1, 9), called(25)])).toMatchObject({ tokens: 1_025 })
  })

  it('LH-01 takes for numbered lines what they were learnt to take, and never less than nothing', () => {
    const listed = { ...said(3, 130), numberedLines: 10 }
    const items = [said(1, 9), answered(2, 9, { usage: { input: 1_000, output: 50 } }), listed]
    const lessOf = (lineTokens: number) => measure(items, { calibration: { ...UNCALIBRATED, lineTokens } })
    expect(lessOf(-1.55)).toStrictEqual({ source: 'reported', tokens: 1_050 + 115, reportedTokens: 1_050 })
    expect(lessOf(2)).toMatchObject({ tokens: 1_050 + 150 })
    expect(lessOf(-40)).toMatchObject({ tokens: 1_050 })
  })

  it('is unknown, or a whole number of at least what was billed, for every conversation', () => {
    const calibration = fc.record({
      ratio: fc.double({ min: 0.3, max: 4, noNaN: true }),
      frameTokens: fc.nat(30),
      lineTokens: fc.double({ min: -4, max: 4, noNaN: true }),
      overheadTokens: fc.nat(),
    })
    fc.assert(
      fc.property(arbitraryEntries(), fc.option(fc.nat()), calibration, (entries, environmentTokens, learnt) => {
        const items = entries.map((message): PrefixItem => ({
          key: message.id,
          link: createLink(message.id),
          tokens: estimateMessage(message, 'plain'),
          entry: message,
          isEdited: false,
          hasReasoning: message.parts.some((part) => part.type === 'reasoning'),
          reasoningTokens: 0,
          frames: 0,
          numberedLines: 2,
        }))
        const reading = measure(items, { environmentTokens, calibration: learnt })
        expect(Number.isSafeInteger(reading.tokens ?? 0)).toBe(true)
        expect(reading.tokens ?? 0).toBeGreaterThanOrEqual(reading.reportedTokens)
        expect(reading.source === 'unknown').toBe(environmentTokens === null && reading.reportedTokens === 0)
      }),
    )
  })
})
