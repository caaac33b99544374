import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryEntries } from '../testing/arbitrary-conversation.ts'
import { assistant, entry, reasoning, user } from '../testing/build-conversation.ts'
import type { EntryFields } from '../testing/build-conversation.ts'
import type { MessageEntry } from '../transcript/entry.ts'
import { createLink } from './hash.ts'
import { tracePrefix } from './trace-prefix.ts'
import type { PrefixItem, TraceContext } from './trace-prefix.ts'

const MODEL = 'anthropic/one'
const CONTEXT: TraceContext = { environmentHash: 'environment', model: MODEL, isEdited: false }
const usage = { input: 1_000, output: 50 }

function itemOf(message: MessageEntry, changes: Partial<PrefixItem> = {}): PrefixItem {
  const hasReasoning = message.parts.some((part) => part.type === 'reasoning')
  const key = changes.key ?? message.id
  return {
    key,
    link: createLink(key),
    tokens: 10,
    entry: message,
    isEdited: false,
    hasReasoning,
    reasoningTokens: 0,
    frames: 0,
    numberedLines: 0,
    ...changes,
  }
}

const said = (seq: number): PrefixItem => itemOf(entry(seq, user('hi')))
const answered = (seq: number, fields: EntryFields = {}): PrefixItem =>
  itemOf(entry(seq, assistant('yes'), { model: MODEL, usage, ...fields }))
const thought = (seq: number, fields: EntryFields = {}): PrefixItem =>
  itemOf(entry(seq, assistant(reasoning('hm'), 'yes'), { model: MODEL, usage, ...fields }))
const summary = (key: string): PrefixItem => ({
  key,
  link: createLink(key),
  tokens: 30,
  entry: null,
  isEdited: true,
  hasReasoning: false,
  reasoningTokens: 0,
  frames: 0,
  numberedLines: 0,
})
const withKey = (item: PrefixItem, key: string): PrefixItem => ({ ...item, key, link: createLink(key) })

/** What the store does when an answer comes: the anchor of the request it answers. */
function anchorAfter(items: readonly PrefixItem[], context = CONTEXT): EntryFields {
  const { chainHash } = tracePrefix(items, context)
  return { anchor: { model: MODEL, itemCount: items.length, chainHash } }
}

/** The item as it is after its entry went to disk and came back. */
function restarted(item: PrefixItem): PrefixItem {
  return JSON.parse(JSON.stringify(item)) as PrefixItem
}

describe('tracePrefix: bills', () => {
  it('ONE-05 takes the newest bill', () => {
    expect(tracePrefix([said(1), answered(2), said(3), answered(4), said(5)], CONTEXT).billedIndex).toBe(3)
    expect(tracePrefix([said(1)], CONTEXT).billedIndex).toBe(-1)
    expect(tracePrefix([], CONTEXT).billedIndex).toBe(-1)
  })

  it.each<[string, EntryFields]>([
    ['an aborted call', { finish: 'aborted' }],
    ['a failed call', { finish: 'error' }],
    ['an empty bill', { usage: { input: 0, output: 0 } }],
    ['the bill of another model', { model: 'openai/two' }],
  ])('skips %s and falls back to the one before', (_, fields) => {
    expect(tracePrefix([said(1), answered(2), said(3), answered(4, fields)], CONTEXT).billedIndex).toBe(1)
    expect(tracePrefix([said(1), answered(2, fields)], CONTEXT).billedIndex).toBe(-1)
  })

  it('takes the bill of an answer that was cut off at the output limit', () => {
    expect(tracePrefix([said(1), answered(2, { finish: 'length' })], CONTEXT).billedIndex).toBe(1)
  })

  it('takes any model where none is named, on either side', () => {
    expect(tracePrefix([said(1), answered(2)], { ...CONTEXT, model: null }).billedIndex).toBe(1)
    const { model: _, ...unnamed } = entry(2, assistant('yes'), { usage })
    expect(tracePrefix([said(1), itemOf(unnamed)], CONTEXT).billedIndex).toBe(1)
  })

  it('ignores bills older than an edit', () => {
    const pruned = { ...withKey(said(1), 'm1|0:cleared'), isEdited: true }
    expect(tracePrefix([pruned, answered(2), said(3)], CONTEXT).billedIndex).toBe(-1)
    expect(tracePrefix([summary('summary'), said(3), answered(4)], CONTEXT).billedIndex).toBe(-1)
    expect(tracePrefix([said(3), answered(4)], { ...CONTEXT, isEdited: true }).billedIndex).toBe(-1)
  })

  it('ignores an anchored bill once something before it changed', () => {
    const before = [said(1), answered(2), said(3)]
    const answer = answered(4, anchorAfter(before))
    expect(tracePrefix([...before, answer], CONTEXT).billedIndex).toBe(3)
    const pruned = { ...withKey(said(1), 'm1|0:cleared'), isEdited: true }
    expect(tracePrefix([pruned, ...before.slice(1), answer], CONTEXT).billedIndex).toBe(-1)
    expect(tracePrefix([...before.slice(1), answer], CONTEXT).billedIndex).toBe(0)
    expect(tracePrefix([...before, answer], { ...CONTEXT, environmentHash: 'other tools' }).billedIndex).toBe(1)
  })

  it('takes an anchored bill made after the edit', () => {
    const before = [summary('summary:e9'), said(10)]
    const items = [...before, answered(11, anchorAfter(before, { ...CONTEXT, isEdited: true })), said(12)]
    expect(tracePrefix(items, { ...CONTEXT, isEdited: true }).billedIndex).toBe(2)
  })

  it('recognises its own anchors after a restart', () => {
    const before = [summary('summary:e9'), said(10), thought(11), said(12)]
    const items = [...before, answered(13, anchorAfter(before)), said(14)]
    const after = items.map(restarted)
    expect(tracePrefix(after, CONTEXT)).toStrictEqual(tracePrefix(items, CONTEXT))
    expect(tracePrefix(after, CONTEXT).billedIndex).toBe(4)
  })
})

describe('tracePrefix: reasoning', () => {
  it('keeps reasoning while nothing before it changed', () => {
    const items = [said(1), thought(2), said(3), thought(4)]
    expect(tracePrefix(items, CONTEXT).dropsReasoning).toStrictEqual([false, false, false, false])
  })

  it('drops reasoning that was made for another prefix', () => {
    const pruned = { ...withKey(said(1), 'm1|0:cleared'), isEdited: true }
    const items = [pruned, thought(2), said(3), thought(4), answered(5)]
    expect(tracePrefix(items, CONTEXT).dropsReasoning).toStrictEqual([false, true, false, true, false])
  })

  it('keeps the reasoning before an edit and drops what follows it', () => {
    const pruned = { ...withKey(said(3), 'm3|0:cleared'), isEdited: true }
    expect(tracePrefix([said(1), thought(2), pruned, thought(4)], CONTEXT).dropsReasoning).toStrictEqual([
      false,
      false,
      false,
      true,
    ])
  })

  it('keeps later reasoning that was made after the edit', () => {
    const pruned = { ...withKey(said(1), 'm1|0:cleared'), isEdited: true }
    const before = [pruned, thought(2), said(3)]
    const items = [...before, thought(4, anchorAfter(before)), said(5)]
    const trace = tracePrefix(items, CONTEXT)
    expect(trace.dropsReasoning).toStrictEqual([false, true, false, false, false])
    expect(trace.billedIndex).toBe(3)
  })

  it('takes a dropped block for a change that later blocks see', () => {
    const first = [said(1)]
    const second = [...first, thought(2, anchorAfter(first)), said(3)]
    const third = [...second, thought(4, anchorAfter(second)), said(5)]
    expect(tracePrefix(third, CONTEXT).dropsReasoning.some(Boolean)).toBe(false)
    const elsewhere = tracePrefix(third, { ...CONTEXT, environmentHash: 'another prompt' })
    expect(elsewhere.dropsReasoning).toStrictEqual([false, true, false, true, false])
    expect(elsewhere.billedIndex).toBe(-1)
  })
})

describe('tracePrefix: what dropping changes', () => {
  it('gives a request with a dropped block another hash, so that its anchors do not serve one that sends the block', () => {
    const before = [said(1), thought(2), said(3)]
    const edited = { ...CONTEXT, isEdited: true }
    expect(tracePrefix(before, edited).chainHash).not.toBe(tracePrefix(before, CONTEXT).chainHash)
    const items = [...before, thought(4, anchorAfter(before, edited))]
    expect(tracePrefix(items, edited)).toMatchObject({ billedIndex: 3, dropsReasoning: [false, true, false, false] })
    expect(tracePrefix(items, CONTEXT)).toMatchObject({ billedIndex: 1, dropsReasoning: [false, false, false, true] })
  })

  it('trusts no message without an anchor after a dropped block', () => {
    const misplaced = thought(2, { anchor: { model: MODEL, itemCount: 1, chainHash: 'another prefix' } })
    expect(tracePrefix([said(1), misplaced, said(3), thought(4)], CONTEXT)).toMatchObject({
      billedIndex: -1,
      dropsReasoning: [false, true, false, true],
    })
  })
})

describe('tracePrefix: the chain', () => {
  it('changes with the environment, the keys, their order and their number', () => {
    const hashes = [
      tracePrefix([], CONTEXT),
      tracePrefix([], { ...CONTEXT, environmentHash: 'other' }),
      tracePrefix([said(1)], CONTEXT),
      tracePrefix([said(1), said(2)], CONTEXT),
      tracePrefix([said(2), said(1)], CONTEXT),
      tracePrefix([withKey(said(1), 'm1|0:cleared')], CONTEXT),
    ].map((trace) => trace.chainHash)
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('never throws, answers for every item, and bills only what is billed', () => {
    fc.assert(
      fc.property(arbitraryEntries(), fc.boolean(), (entries, isEdited) => {
        const items = entries.map((message) => itemOf(message))
        const trace = tracePrefix(items, { ...CONTEXT, isEdited })
        expect(trace.dropsReasoning).toHaveLength(items.length)
        expect(trace.billedIndex).toBeLessThan(items.length)
        const billed = entries[trace.billedIndex]
        if (billed === undefined) return
        expect(billed.usage?.input).toBeGreaterThan(0)
        expect(billed.model).toBe(MODEL)
        expect(['error', 'aborted']).not.toContain(billed.finish)
      }),
    )
  })

  it('makes every answer reusable in the very next request', () => {
    fc.assert(
      fc.property(arbitraryEntries(), (entries) => {
        const items: PrefixItem[] = []
        let newest = -1
        for (const message of entries) {
          const isAnswer = message.role === 'assistant'
          const fields = isAnswer ? { model: MODEL, usage, finish: 'stop' as const, ...anchorAfter(items) } : {}
          items.push(itemOf({ ...message, ...fields }))
          newest = isAnswer ? items.length - 1 : newest
          expect(tracePrefix(items, CONTEXT).billedIndex).toBe(newest)
        }
        expect(tracePrefix(items, CONTEXT).dropsReasoning.some(Boolean)).toBe(false)
      }),
    )
  })
})
