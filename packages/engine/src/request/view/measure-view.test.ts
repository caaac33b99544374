import { describe, expect, it } from 'vitest'
import { PRESETS } from '../../policy/presets.ts'
import { assistant, call, reasoning, result, tool, user } from '../../testing/build-conversation.ts'
import { cleared, compaction, prune, transcript } from '../../testing/build-entries.ts'
import type { Line } from '../../testing/build-entries.ts'
import { UNCALIBRATED } from '../../tokens/meter.ts'
import { foldEntries } from '../fold/fold-log.ts'
import { estimateView, measureView } from './measure-view.ts'
import type { MeasureContext } from './measure-view.ts'
import { createView } from './view.ts'

const environment = { system: 'x'.repeat(400), files: [], tools: [] }
const context: MeasureContext = { environment, model: 'a/one', calibration: UNCALIBRATED, estimator: 'plain' }
const view = (...lines: readonly Line[]) => createView(foldEntries(transcript(...lines)), PRESETS.oneclaw)
const said = user('y'.repeat(800))

/** An answer as it is stored: with the bill of the request it answered. */
function answered(
  lines: readonly Line[],
  usage: { input: number; output: number },
  more: object = {},
): readonly Line[] {
  const { trace } = measureView(view(...lines), context)
  const anchor = { model: 'a/one', itemCount: lines.length, chainHash: trace.chainHash }
  return [...lines, { type: 'message', ...assistant('ok'), model: 'a/one', usage, anchor, ...more }]
}

describe('measureView', () => {
  it('ONE-05 estimates by characters / 4, system prompt included', () => {
    expect(measureView(view(said), context).reading).toEqual({ source: 'estimated', tokens: 300, reportedTokens: 0 })
  })

  it('ONE-05 takes the bill of the unchanged prefix for the truth, and estimates the rest', () => {
    const lines = [...answered([said], { input: 1_000, output: 50 }), said]
    expect(measureView(view(...lines), context).reading).toEqual({
      source: 'reported',
      tokens: 1_250,
      reportedTokens: 1_050,
    })
  })

  it('LH-01 multiplies only what is estimated by what the model taught', () => {
    const calibration = { ...UNCALIBRATED, ratio: 2, overheadTokens: 7 }
    expect(measureView(view(said), { ...context, calibration }).reading.tokens).toBe(607)
    const lines = [...answered([said], { input: 1_000, output: 50 }), said]
    expect(measureView(view(...lines), { ...context, calibration }).reading.tokens).toBe(1_450)
  })

  it.each([
    ['another model', { ...context, model: 'b/two' }, []],
    ['another environment', { ...context, environment: { ...environment, system: 'z' } }, []],
    ['a compaction since', context, [compaction({ fromSeq: 1 })]],
  ] as const)('forgets the bill after %s: old usage never triggers anything', (_why, changed, more) => {
    const lines = answered([said], { input: 190_000, output: 50 })
    expect(measureView(view(...lines, ...more), changed).reading).toMatchObject({ source: 'estimated' })
  })

  it('forgets the bill of a failed or cancelled call, and one without input', () => {
    for (const finish of ['error', 'aborted'] as const) {
      const lines = answered([said], { input: 190_000, output: 50 }, { finish })
      expect(measureView(view(...lines), context).reading.source).toBe('estimated')
    }
    expect(measureView(view(...answered([said], { input: 0, output: 0 })), context).reading.source).toBe('estimated')
  })

  it('is unknown, not zero, where the surroundings are unknown and nothing was billed', () => {
    expect(measureView(view(said), { ...context, environment: null }).reading).toEqual({
      source: 'unknown',
      tokens: null,
      reportedTokens: 0,
    })
  })
})

describe('what a bill can teach', () => {
  const lessonOf = (...lines: readonly Line[]) => measureView(view(...lines), context).lesson
  const called = { ...assistant(call('a')), usage: { input: 1_000, output: 50 } }

  it('LH-01 is all of a first request, system prompt included', () => {
    expect(lessonOf(said)).toEqual({ rest: { tokens: 300, frames: 0, numberedLines: 0 }, answer: null })
  })

  it('LH-01 is what came after the last bill, and the answer it was for', () => {
    const lines = [
      ...answered([said], { input: 1_000, output: 50 }, called),
      tool(result('a', '7→aaaaaaaa\n8→bbbbbbbb\n9→cccccccc\n10→ddddddd')),
    ]
    expect(lessonOf(...lines)).toEqual({
      rest: { tokens: 10, frames: 0, numberedLines: 3 },
      answer: { tokens: 2, frames: 1, numberedLines: 0, billed: 50 },
    })
  })

  it('LH-01 holds the calls of an answer whose bill cannot be believed', () => {
    const lines = answered([said], { input: 1_000, output: 0 }, { ...called, usage: { input: 1_000, output: 0 } })
    expect(lessonOf(...lines)).toEqual({ rest: { tokens: 2, frames: 1, numberedLines: 0 }, answer: null })
  })

  it('LH-01 is nothing about calls where the answer thought: the bill may hold more than can be seen', () => {
    const thought = { ...assistant(reasoning('hm'), call('a')), usage: { input: 1_000, output: 50 } }
    expect(lessonOf(...answered([said], thought.usage, thought)).answer).toBeNull()
  })
})

describe('estimateView', () => {
  it('LH-01 counts what the model adds to tool calls and to numbered lines', () => {
    const calibration = { ratio: 2, frameTokens: 40, lineTokens: 3, overheadTokens: 7 }
    const lines = [said, assistant(call('a'), call('b')), tool(result('a', '1\tone\n2\ttwo'), result('b'))]
    const bare = { ...calibration, frameTokens: 0, lineTokens: 0 }
    const plain = estimateView(view(...lines), { ...context, calibration: bare })
    expect(estimateView(view(...lines), { ...context, calibration })).toBe(plain + 83)
    expect(measureView(view(...lines), { ...context, calibration }).reading.tokens).toBe(plain + 83)
  })

  it('never looks at bills: two views are compared by one yardstick', () => {
    const lines = answered([said], { input: 190_000, output: 50 })
    expect(estimateView(view(...lines), context)).toBe(301)
    expect(estimateView(view(...lines, prune(cleared(1))), context)).toBe(301)
  })
})
