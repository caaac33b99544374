import type { Compaction, Mark, Request } from '@longhaul/protocol'
import { describe, expect, it } from 'vitest'
import { describeOutcome } from './describe-outcome.ts'
import { mergeRequests } from './merge-requests.ts'
import { planTimeline } from './plan-timeline.ts'

function request(number: number, tokens: number | null, result = 'stop'): Request {
  const usage = { input: 900, output: 20, cacheRead: 800, costUsd: 0.002 }
  return {
    number,
    at: number * 1_000,
    model: 'offline/extractive',
    purpose: 'turn',
    tokens,
    window: 32_000,
    source: 'reported',
    itemCount: number,
    outcome: { result, usage },
  }
}

const mark = (kind: Mark['kind'], at: number): Mark => ({ id: `${kind}${at}`, at, kind, detail: null })

const compaction = (id: string, tokensBefore: number, tokensAfter: number): Compaction => ({
  id,
  at: 0,
  reason: 'threshold',
  tokensBefore,
  tokensAfter,
  score: 1,
  strategy: 'extractive',
  model: null,
  fallback: 'extractive',
  cost: null,
  summary: '',
  items: [],
  ledger: [],
  coveredIds: [],
  undone: false,
})

const NOTHING = { requests: [], hasOlder: false, marks: [], compactions: [], threshold: null }

describe('the timeline', () => {
  it('draws how the context grew: what was asked beside the conversation is no part of it', () => {
    const title = { ...request(2, 90), purpose: 'title' }
    const { numbers, tokens } = planTimeline({ ...NOTHING, requests: [request(3, 1_200), title, request(1, 1_000)] })
    expect({ numbers, tokens }).toEqual({ numbers: [1, 3], tokens: [1_000, 1_200] })
  })

  it('places what was done between the requests it happened between', () => {
    const { numbers, tokens, marks } = planTimeline({
      requests: [request(3, 400), request(2, null), request(1, 1_000)],
      hasOlder: false,
      marks: [mark('reset', 500), mark('flush', 1_500), mark('compaction', 2_500), mark('prune', 9_000)],
      compactions: [],
      threshold: 5_000,
    })
    expect({ numbers, tokens }).toEqual({ numbers: [1, 2, 3], tokens: [1_000, null, 400] })
    expect(marks).toEqual([
      { kind: 'reset', x: 0.5 },
      { kind: 'flush', x: 1.5 },
      { kind: 'compaction', x: 2.5 },
      { kind: 'prune', x: 3.5 },
    ])
  })

  it('marks a request that was refused as too long, and leaves out what came before the first one shown', () => {
    const { marks } = planTimeline({
      requests: [request(8, 400), request(7, 900, 'input-overflow')],
      hasOlder: true,
      marks: [mark('compaction', 10)],
      compactions: [],
      threshold: null,
    })
    expect(marks).toEqual([{ kind: 'overflow', x: 7 }])
  })

  it('shows how far a compaction brought the context down, with room for where it came from', () => {
    const { marks, topTokens } = planTimeline({
      ...NOTHING,
      requests: [request(1, 7_800)],
      marks: [mark('prune', 300), mark('compaction', 500)],
      compactions: [compaction('compaction500', 19_200, 7_800)],
    })
    expect(marks).toEqual([
      { kind: 'prune', x: 0.5 },
      { kind: 'compaction', x: 0.5, drop: { from: 19_200, to: 7_800 } },
    ])
    expect(topTokens).toBeGreaterThan(19_200)
  })

  it('leaves room above the threshold, and holds without any request', () => {
    expect(planTimeline({ ...NOTHING, requests: [request(1, 10)], threshold: 5_000 }).topTokens).toBeGreaterThan(5_000)
    expect(planTimeline({ ...NOTHING, marks: [mark('reset', 1)] })).toMatchObject({
      numbers: [],
      marks: [],
    })
  })
})

describe('the requests of a timeline', () => {
  it('are newest first, each once, with what is known now', () => {
    const running = { ...request(2, 10), outcome: null }
    expect(mergeRequests([running, request(1, 5)], [request(3, 20), request(2, 10)])).toEqual([
      request(3, 20),
      request(2, 10),
      request(1, 5),
    ])
  })

  it('tell what came of them and what they cost', () => {
    expect(describeOutcome(request(1, 1).outcome)).toEqual({
      words: 'answered',
      isFailure: false,
      bill: [
        { name: 'Input tokens', amount: '900' },
        { name: 'Output tokens', amount: '20' },
        { name: 'Read from the cache', amount: '800' },
        { name: 'Cost', amount: '$0.0020' },
      ],
    })
    expect(describeOutcome({ result: 'input-overflow' })).toEqual({
      words: 'refused: too long',
      isFailure: true,
      bill: [],
    })
    expect(describeOutcome({ result: 'some-new-thing' })).toMatchObject({ words: 'some new thing', isFailure: true })
    expect(describeOutcome(null)).toMatchObject({ isFailure: false, bill: [] })
  })
})
