import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import type { Entry } from '@longhaul/engine/advanced'
import { describe, expect, it } from 'vitest'
import { readTranscripts } from '@longhaul/store/jsonl'
import { describeWithDataSet } from '../../../../test/data-sets.ts'
import { createPresetPolicy } from '../carriers/longhaul-policy.ts'
import { asRecorded } from '../carriers/recorded-policy.ts'
import { PEERS, createPeerPolicy } from '../peers/peers.ts'
import { buildSession } from '../testing/build-session.ts'
import { estimateAsking } from './estimate-asking.ts'
import { replay } from './replay.ts'

const presets = (['longhaul', 'oneclaw', 'openclaw', 'micro', 'spec008'] as const).map(createPresetPolicy)
const everybody = [...presets, ...PEERS.map(createPeerPolicy), asRecorded]
const countTokens = (text: string): number => Math.ceil(text.length / 4)

/** As another program would have written it: a summary of everything before a place. */
function withCompaction(entries: readonly Entry[], place: number, text: string): readonly Entry[] {
  const seq = entries[place]?.seq ?? 0
  const items = [{ id: 's', text, sources: [], status: 'open' }] as const
  const compaction: Entry = {
    type: 'compaction',
    seq,
    id: 'k',
    at: 0,
    fromSeq: seq,
    firstKept: null,
    carried: [],
    previous: null,
    tokensBefore: 0,
    tokensAfter: 0,
    document: { version: 1, sections: [{ title: '', items }] },
    reason: 'threshold',
    strategy: '',
    model: null,
  }
  return [
    ...entries.slice(0, place),
    compaction,
    ...entries.slice(place).map((entry) => ({ ...entry, seq: entry.seq + 1 })),
  ]
}

describe('replay', () => {
  it('sends one request for each answer, under every policy', async () => {
    const session = buildSession({ turns: 12, stepsPerTurn: 4, resultChars: 8_000 })
    const { runs } = await replay([session], everybody, { countTokens, windowTokens: 40_000 })
    expect(runs).toHaveLength(everybody.length)
    for (const { requests, totals } of runs) {
      expect(requests).toHaveLength(12 * 5)
      for (const { tokens, cacheRead, cacheWrite, cacheMiss, layers } of requests) {
        expect(cacheRead + cacheWrite + cacheMiss).toBe(tokens)
        expect(Object.values(layers).reduce((sum, layer) => sum + layer, 0)).toBe(tokens)
      }
      expect(totals.costUsd).toBeGreaterThan(0)
    }
  })

  it.each([
    ['compacts while the cache is warm', 0, ['compact', 'flush', 'prepare']],
    ['also prunes where hours pass between turns', 3_600_000, ['compact', 'flush', 'prepare', 'prune']],
  ])('keeps the default within the window and says why it acted: it %s', async (_, pauseMs, actions) => {
    const built = buildSession({ turns: 20, stepsPerTurn: 4, resultChars: 12_000 })
    const entries = built.entries.map((entry) => ({ ...entry, at: entry.at + Math.floor(entry.seq / 9) * pauseMs }))
    const session = { ...built, entries }
    const { runs } = await replay([session], [createPresetPolicy('longhaul')], { countTokens, windowTokens: 40_000 })
    const events = runs.flatMap(({ requests }) => requests.flatMap((request) => request.events))
    expect(runs[0]?.totals.overWindow).toBe(0)
    expect(new Set(events.map(({ action }) => action))).toEqual(new Set(actions))
    expect(events.every(({ reason }) => reason !== '')).toBe(true)
  })

  it('bills as the transcript was billed while nothing was changed', async () => {
    const usage = (request: number) => ({ input: 5_000 + request * 700, output: 50, cacheRead: 0 })
    const session = buildSession({ turns: 4, stepsPerTurn: 2, resultChars: 2_000, usage })
    const { runs } = await replay([session], [asRecorded], { countTokens })
    const sent = runs[0]?.requests.map(({ tokens }) => tokens) ?? []
    sent.forEach((tokens, request) => {
      expect(Math.abs(tokens - usage(request).input)).toBeLessThan(20)
    })
  })

  it('knows no price where nobody does, and counts all the same', async () => {
    const session = buildSession({ turns: 2, stepsPerTurn: 1, resultChars: 100 })
    const { runs } = await replay([session], presets, {
      countTokens,
      model: 'somebody/something',
      windowTokens: 32_000,
    })
    expect(runs.every(({ totals }) => totals.costUsd === null && totals.inputTokens > 0)).toBe(true)
  })

  it('takes an empty conversation and one without answers', async () => {
    const empty = buildSession({ turns: 0, stepsPerTurn: 0, resultChars: 0 })
    const asked = { ...empty, entries: buildSession({ turns: 1, stepsPerTurn: 0, resultChars: 0 }).entries.slice(0, 1) }
    const { runs } = await replay([empty, asked], everybody, { countTokens })
    expect(runs.every(({ totals }) => totals.requests === 0)).toBe(true)
  })

  it('asks a model where one is given, and prices what it read and wrote', async () => {
    const session = buildSession({ turns: 20, stepsPerTurn: 4, resultChars: 8_000 })
    let calls = 0
    const ask = () => {
      calls += 1
      return Promise.resolve({
        text: '<summary>Files were read, as the user asked, and nothing was changed.</summary>',
        finish: 'stop' as const,
      })
    }
    const summaries = { kind: 'model', name: 'stand-in', ask } as const
    const { runs } = await replay([session], [createPresetPolicy('oneclaw')], {
      countTokens,
      windowTokens: 40_000,
      summaries,
    })
    expect(calls).toBe(runs[0]?.totals.compactions)
    expect(runs[0]?.totals.maintenanceUsd).toBeGreaterThan(0)
  })

  it('tells conversations of one name apart', async () => {
    const session = buildSession({ turns: 1, stepsPerTurn: 0, resultChars: 0 })
    const { runs } = await replay([session, session], [asRecorded], { countTokens })
    expect(runs.map(({ conversation }) => conversation)).toEqual(['built', 'built (2)'])
  })

  it('writes what the transcript’s own program wrote, where it is asked to, for every policy alike', async () => {
    const session = buildSession({ turns: 6, stepsPerTurn: 4, resultChars: 8_000 })
    const entries = withCompaction(session.entries, 18, 'The gate code is violet.')
    const questions = [{ question: 'What is the gate code?', answer: 'violet' }]
    const policies = [createPresetPolicy('oneclaw'), createPresetPolicy('longhaul'), ...PEERS.map(createPeerPolicy)]
    const answered = async (kind: 'recorded' | 'extractive') => {
      const options = { countTokens, windowTokens: 40_000, questions, summaries: { kind } } as const
      const { runs, summaries } = await replay([{ ...session, entries }], policies, options)
      expect(summaries).toContain(kind)
      const compacted = runs.filter(({ totals }) => totals.compactions > 0)
      return compacted.map(({ retention }) => retention.questions?.inContext.held ?? 0)
    }
    const recorded = await answered('recorded')
    expect(recorded.length).toBeGreaterThan(6)
    expect(recorded.every((held) => held === 1)).toBe(true)
    expect((await answered('extractive')).every((held) => held === 0)).toBe(true)
  })

  it('replays the transcript’s own compactions where they stood', async () => {
    const session = buildSession({ turns: 6, stepsPerTurn: 2, resultChars: 4_000 })
    const entries = withCompaction(session.entries, 18, 'So far: reading.')
    const [run] = (await replay([{ ...session, entries }], [asRecorded], { countTokens })).runs
    const sent = run?.requests.map(({ tokens }) => tokens) ?? []
    expect(run?.totals.compactions).toBe(1)
    expect(sent.filter((tokens, place) => tokens < (sent[place - 1] ?? 0))).toHaveLength(1)
  })

  it('tells beforehand what a model would be asked', async () => {
    const session = buildSession({ turns: 20, stepsPerTurn: 4, resultChars: 8_000 })
    const report = await replay([session], [createPresetPolicy('oneclaw')], { countTokens, windowTokens: 40_000 })
    const { calls, inputTokens, outputTokens } = estimateAsking(report)
    expect(calls).toBe(report.runs[0]?.totals.compactions)
    expect(inputTokens).toBeGreaterThan(10_000)
    expect(outputTokens).toBeGreaterThan(100)
  })

  it('gives the same result for the same transcript and policy', async () => {
    const shape = fc.record({
      turns: fc.integer({ min: 1, max: 8 }),
      stepsPerTurn: fc.nat(4),
      resultChars: fc.nat(9_000),
    })
    const policy = fc.constantFrom(...everybody)
    await fc.assert(
      fc.asyncProperty(shape, policy, fc.integer({ min: 8_000, max: 60_000 }), async (spec, chosen, windowTokens) => {
        const run = () => replay([buildSession(spec)], [chosen], { countTokens, windowTokens })
        expect(await run()).toStrictEqual(await run())
      }),
      { numRuns: 30 },
    )
  })
})

describeWithDataSet('a real session', 'claude-code/subagent.jsonl', (path) => {
  it('runs through every policy, and its cache is foreseen', async () => {
    const { runs } = await replay(readTranscripts(readFileSync(path, 'utf8')), everybody, {})
    expect(runs.length).toBeGreaterThan(0)
    const requests = runs.find(({ policy }) => policy.name === asRecorded.name)?.requests ?? []
    const errors = requests.flatMap(({ cacheRead, billedCacheRead }) =>
      billedCacheRead === null ? [] : [Math.abs(cacheRead - billedCacheRead) / Math.max(1, billedCacheRead)],
    )
    expect(errors.toSorted((a, b) => a - b)[Math.floor(errors.length / 2)]).toBeLessThanOrEqual(0.05)
  })
})
