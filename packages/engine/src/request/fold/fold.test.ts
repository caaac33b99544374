import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryEntries, arbitraryJunk } from '../../testing/arbitrary-conversation.ts'
import { assistant, call, result, tool, user } from '../../testing/build-conversation.ts'
import {
  cleared,
  compaction,
  prune,
  ref,
  reset,
  transcript,
  trim,
  trimmed,
  undone,
} from '../../testing/build-entries.ts'
import type { Line } from '../../testing/build-entries.ts'
import { deepFreeze } from '../../testing/deep-freeze.ts'
import type { Entry } from '../../transcript/entry.ts'
import { elementsOf } from './append-list.ts'
import { START_BASE, createState, foldEntry } from './fold.ts'
import { foldEntries } from './fold-log.ts'
import type { Head, State } from './state.ts'

const idsOf = (state: State): readonly string[] => elementsOf(state.window).map((item) => item.entry.id)
const headOf = (...list: readonly Line[]): Head => foldEntries(transcript(...list)).head
const answer = { ...assistant('hello'), type: 'message', finish: 'stop' } as const

describe('the head', () => {
  const start = createState().head
  const rows: readonly [string, readonly Line[], Partial<Head>][] = [
    ['a user message', [user('hi')], { lastSeq: 1, totals: { ...start.totals, messages: 1 }, lastCall: null }],
    ['the result of a tool that was read', [user('hi'), tool(result('c1')), user('ho')], { foreignSeq: 2 }],
    ['a receipt', [user('hi'), tool({ ...result('c1'), isReceipt: true })], { foreignSeq: null }],
    ['an attached file', [user({ type: 'file', data: 'AA==', mediaType: 'text/plain' })], { foreignSeq: 1 }],
    ['what was read before a summary', [tool(result('c1')), user('hi'), compaction({ fromSeq: 3 })], { foreignSeq: 1 }],
    ['a message without an answer', [user('hi'), user('there')], { owed: ref(2) }],
    ['an answer', [{ ...answer, model: 'a/one' }], { lastCall: { at: 1_000, model: 'a/one' } }],
    ['an answer to a message', [user('hi'), answer], { owed: null }],
    ['an answer that never came', [user('hi'), { ...answer, parts: [], finish: 'error' }], { owed: null }],
    ['an answer that calls a tool', [user('hi'), assistant(call('c1'))], { owed: ref(1) }],
    ['the result of a tool', [user('hi'), assistant(call('c1')), tool(result('c1'))], { owed: ref(1) }],
    ['an answer after tools', [user('hi'), assistant(call('c1')), tool(result('c1')), answer], { owed: null }],
    ['a result that nobody waits for', [user('hi'), answer, tool(result('c1'))], { owed: null }],
    ['work behind a message', [user('hi'), { type: 'pin', text: 'x' }, compaction({ fromSeq: 3 })], { owed: ref(1) }],
    ['work behind an answer', [user('hi'), answer, compaction({ fromSeq: 2, carried: [1] })], { owed: null }],
    ['a reset behind a message', [user('hi'), reset], { owed: null }],
    [
      'an answer that does not name its model',
      [{ type: 'model-change', model: 'b/two' }, answer],
      { lastCall: { at: 2_000, model: 'b/two' } },
    ],
    ['a failed answer', [answer, { ...answer, finish: 'error' }], { lastCall: { at: 1_000, model: null } }],
    ['an aborted answer', [answer, { ...answer, finish: 'aborted' }], { lastCall: { at: 1_000, model: null } }],
    [
      'a compaction',
      [user('hi'), answer, compaction({ fromSeq: 2, carried: [1] })],
      {
        epoch: 3,
        cycle: 1,
        compactionCount: 1,
        base: { ...START_BASE, kind: 'compaction', entry: ref(3), fromSeq: 2, carried: [ref(1)], summary: ref(3) },
      },
    ],
    [
      'a trim over a summary',
      [
        user('hi'),
        compaction({ fromSeq: 1 }),
        answer,
        trim({ fromSeq: 3, previous: 2, summary: 2, dropped: 4, note: 'n' }),
      ],
      {
        epoch: 4,
        cycle: 1,
        compactionCount: 1,
        base: {
          kind: 'trim',
          entry: ref(4),
          fromSeq: 3,
          carried: [],
          summary: ref(2),
          dropped: 4,
          note: 'n',
          previous: ref(2),
        },
      },
    ],
    [
      'a reset',
      [user('hi'), reset],
      { epoch: 2, cycle: 1, compactionCount: 0, base: { ...START_BASE, kind: 'reset', entry: ref(2), fromSeq: 3 } },
    ],
    ['a model change', [{ type: 'model-change', model: 'a/one' }], { model: 'a/one', epoch: 1 }],
    ['an environment', [{ type: 'environment', hash: 'h', parts: {} }], { environmentHash: 'h', epoch: 0 }],
    ['a pin', [{ type: 'pin', text: 'keep' }], { pins: [{ ...ref(1), text: 'keep' }] }],
    [
      'an unpin',
      [
        { type: 'pin', text: 'keep' },
        { type: 'pin', text: 'this' },
        { type: 'unpin', pin: 'e1' },
      ],
      { pins: [{ ...ref(2), text: 'this' }] },
    ],
    [
      'an unpin of nothing',
      [
        { type: 'pin', text: 'keep' },
        { type: 'unpin', pin: 'e9' },
      ],
      { pins: [{ ...ref(1), text: 'keep' }] },
    ],
    ['a flush', [{ type: 'flush', outcome: 'silent' }], { flush: { cycle: 0, failures: 0 }, epoch: 0 }],
    [
      'a title, which is only paid for',
      [{ type: 'bill', work: 'title', model: 'a/b', usage: { input: 7, output: 1 } }],
      { lastCall: null, totals: { messages: 0, inputTokens: 7, outputTokens: 1, costUsd: 0, unpricedCalls: 1 } },
    ],
    [
      'a heartbeat, which keeps a cache warm',
      [{ type: 'bill', work: 'heartbeat', model: 'a/b', usage: { input: 7, output: 1 } }],
      { lastCall: { at: expect.any(Number), model: 'a/b' } },
    ],
    ['a failed flush', [{ type: 'flush', outcome: 'failed' }], { flush: { cycle: null, failures: 1 } }],
    [
      'maintenance that failed',
      [
        { type: 'maintenance-failed', work: 'flush', reason: '' },
        { type: 'maintenance-failed', work: 'compaction', reason: '' },
        { type: 'maintenance-failed', work: 'compaction', reason: '' },
      ],
      { flush: { cycle: null, failures: 1 }, compactionFailures: 2, compactionFailedAt: 3_000, epoch: 0 },
    ],
    ['an interruption', [{ type: 'interrupted', toolCallIds: ['a'] }], { ...start, lastSeq: 1 }],
    ['an entry of a newer version', [{ type: 'unknown', original: {} }], { ...start, lastSeq: 1 }],
  ]
  it.each(rows)('knows %s', (_name, list, expected) => {
    expect(headOf(...list)).toMatchObject(expected)
  })

  it('SPEC-01 adds up tokens, cost and messages: of answers, flushes and compactions', () => {
    const usage = { input: 100, output: 10, costUsd: 0.5 }
    expect(
      headOf(
        user('hi'),
        { ...answer, usage },
        { ...answer, usage: { input: 1, output: 2 } },
        { ...compaction({ fromSeq: 1 }), usage },
        {
          type: 'flush',
          outcome: 'wrote',
          usage,
        },
      ).totals,
    ).toEqual({ messages: 3, inputTokens: 301, outputTokens: 32, costUsd: 1.5, unpricedCalls: 1 })
  })

  it('merges settings key by key, policy keys too; one key of a one-of group replaces its sibling', () => {
    const { settings } = headOf(
      { type: 'settings', title: 'one', preset: 'micro', policy: { compaction: { enabled: false, keepTurns: 5 } } },
      { type: 'settings', title: 'two' },
      { type: 'settings', policy: { bootstrapMaxChars: 7, compaction: { keepMessages: 6 } } },
    )
    expect(settings).toEqual({
      title: 'two',
      preset: 'micro',
      policy: { bootstrapMaxChars: 7, compaction: { enabled: false, keepMessages: 6 } },
    })
  })
})

describe('counters', () => {
  const failed = { type: 'maintenance-failed', work: 'compaction', reason: '' } as const
  it('counts compactions that failed in a row: a success, a model change and a reset start anew', () => {
    expect(headOf(user('a'), failed, failed).compactionFailures).toBe(2)
    expect(headOf(user('a'), failed, failed, compaction({ fromSeq: 1 })).compactionFailures).toBe(0)
    expect(headOf(user('a'), failed, { type: 'model-change', model: 'b/two' }).compactionFailures).toBe(0)
    expect(headOf(user('a'), failed, reset).compactionFailures).toBe(0)
    expect(headOf(user('a'), failed, trim({ fromSeq: 1 })).compactionFailures).toBe(1)
  })

  it('OPEN-08 the flush cycle never runs backwards: an undo does not allow a second flush', () => {
    const flush = { type: 'flush', outcome: 'wrote' } as const
    const { cycle, flush: flushed } = headOf(user('a'), compaction({ fromSeq: 1 }), flush, undone(2))
    expect(cycle).toBe(1)
    expect(flushed.cycle).toBe(1)
    expect(headOf(user('a'), flush, compaction({ fromSeq: 1 }), undone(3))).toMatchObject({
      cycle: 1,
      flush: { cycle: 0 },
    })
  })

  it('OPEN-08 a flush that ends after its cycle, beside the conversation, counts for the one it began in', () => {
    const late = { type: 'flush', outcome: 'wrote', cycle: 0 } as const
    const inVain = { ...late, outcome: 'failed' } as const
    const fresh = headOf(user('a'), compaction({ fromSeq: 1 })).flush
    expect(headOf(user('a'), compaction({ fromSeq: 1 }), late).flush).toEqual(fresh)
    expect(headOf(user('a'), compaction({ fromSeq: 1 }), inVain).flush).toEqual(fresh)
    expect(headOf(user('a'), late).flush).toEqual({ cycle: 0, failures: 0 })
  })

  it('OPEN-08 flushes that failed are counted within their cycle: the next one tries again', () => {
    const failure = { type: 'flush', outcome: 'failed' } as const
    expect(headOf(user('a'), failure, failure, failure).flush).toEqual({ cycle: null, failures: 3 })
    expect(headOf(user('a'), failure, failure, failure, compaction({ fromSeq: 1 })).flush).toEqual({
      cycle: null,
      failures: 0,
    })
    expect(headOf(user('a'), compaction({ fromSeq: 1 }), failure, undone(2)).flush.failures).toBe(1)
  })
})

describe('what is folded', () => {
  it('ignores what comes a second time or too late', () => {
    const [first, second] = transcript(user('one'), user('two')) as [Entry, Entry]
    const state = foldEntries([first, second])
    expect(foldEntry(state, second)).toBe(state)
    expect(foldEntry(state, first)).toBe(state)
    expect(foldEntry(state, { ...first, seq: 2, id: 'other' })).toBe(state)
  })

  it('never throws, and ignores what is no entry', () => {
    fc.assert(
      fc.property(arbitraryEntries(4), fc.array(arbitraryJunk(), { maxLength: 6 }), (entries, junk) => {
        const state = foldEntries(entries)
        const after = foldEntries(junk, state)
        expect(after.head.lastSeq).toBeGreaterThanOrEqual(state.head.lastSeq)
        expect(foldEntries([null, 1, 'x', {}, [], { seq: -1, id: 'a' }], state)).toBe(state)
      }),
    )
  })

  it('ONE-03 changes no entry, at any depth', () => {
    const list = transcript(
      user('one'),
      assistant('two'),
      tool(result('a', 'x'.repeat(100))),
      prune(trimmed(3, 10)),
      prune(cleared(3)),
      compaction({ fromSeq: 2 }),
      trim({ fromSeq: 3, previous: 6, summary: 6 }),
      undone(7),
      reset,
    )
    const before = JSON.stringify(list)
    foldEntries(deepFreeze(list))
    expect(JSON.stringify(list)).toBe(before)
  })

  it('leaves an older state what it was when newer ones grow from it', () => {
    const [one, two, three] = transcript(user('one'), user('two'), user('three')) as [Entry, Entry, Entry]
    const older = foldEntries([one])
    const left = foldEntry(older, two)
    const right = foldEntry(older, three)
    foldEntry(left, three)
    expect([older, left, right].map(idsOf)).toEqual([['e1'], ['e1', 'e2'], ['e1', 'e3']])
  })

  it('is linear: 100,000 entries in well under a few seconds', () => {
    const list = transcript(
      ...Array.from({ length: 100_000 }, (_, index) => (index % 2 === 0 ? user('hi') : assistant('ho'))),
    )
    const startedAt = performance.now()
    expect(foldEntries(list).head.totals.messages).toBe(100_000)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})
