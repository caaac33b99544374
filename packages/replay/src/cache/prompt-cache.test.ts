import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPromptCache } from './prompt-cache.ts'
import type { CacheItem, CacheRules } from './prompt-cache.ts'

const MINUTE = 60_000
const explicit: CacheRules = { kind: 'explicit', ttlMs: 5 * MINUTE, minPrefixTokens: 1_024 }
const automatic: CacheRules = { kind: 'automatic', ttlMs: 5 * MINUTE, minPrefixTokens: 1_024 }

/** Names with sizes, in blocks of one: `['head', 2_000]`. */
function items(...list: readonly (readonly [string, number])[]): readonly CacheItem[] {
  return list.map(([key, tokens]) => ({ key, tokens, blocks: 1 }))
}

describe('createPromptCache', () => {
  it('bills a conversation as worked out by hand', () => {
    const cache = createPromptCache(explicit)
    const head = ['head', 2_000] as const
    // A first request writes all of itself.
    expect(cache.send(items(head, ['a', 500]), 0)).toEqual({
      readTokens: 0,
      writeTokens: 2_500,
      missTokens: 0,
    })
    // The next reads it and writes what is new.
    expect(cache.send(items(head, ['a', 500], ['b', 300], ['c', 200]), MINUTE)).toEqual({
      readTokens: 2_500,
      writeTokens: 500,
      missTokens: 0,
    })
    // A changed message breaks everything after the marked head.
    expect(cache.send(items(head, ['a2', 100], ['b', 300], ['c', 200]), 2 * MINUTE)).toEqual({
      readTokens: 2_000,
      writeTokens: 600,
      missTokens: 0,
    })
    // After the time to live nothing is left.
    expect(cache.send(items(head, ['a2', 100], ['b', 300], ['c', 200]), 8 * MINUTE)).toEqual({
      readTokens: 0,
      writeTokens: 2_600,
      missTokens: 0,
    })
  })

  it('lets every read begin the time to live anew', () => {
    const cache = createPromptCache(explicit)
    const request = items(['head', 2_000], ['a', 500])
    for (let minute = 0; minute <= 20; minute += 4) cache.send(request, minute * MINUTE)
    expect(cache.send(request, 24 * MINUTE).readTokens).toBe(2_500)
    expect(cache.send(request, 29 * MINUTE).readTokens).toBe(0)
  })

  it('keeps no prefix that is too short, and says so as a miss', () => {
    const cache = createPromptCache(explicit)
    const request = items(['head', 100], ['a', 900])
    expect(cache.send(request, 0)).toEqual({ readTokens: 0, writeTokens: 0, missTokens: 1_000 })
    expect(cache.send(request, 1).readTokens).toBe(0)
    expect(cache.send(items(['head', 100], ['a', 900], ['b', 24]), 2).writeTokens).toBe(1_024)
  })

  it('looks back over twenty blocks, and over more only where a mark stands between', () => {
    const cache = createPromptCache(explicit)
    const head = { key: 'head', tokens: 2_000, blocks: 1 }
    const first = { key: 'first', tokens: 1_000, blocks: 1 }
    cache.send([head, first], 0)
    // One message of 30 blocks: the end is more than 20 blocks from the last mark; the head's own mark is still found.
    const wide = { key: 'wide', tokens: 300, blocks: 30 }
    expect(cache.send([head, first, wide], 1).readTokens).toBe(3_000)
    // Seventy single blocks: three marks, 18 apart, do not reach back.
    const many = Array.from({ length: 70 }, (_, index) => ({ key: `m${index}`, tokens: 10, blocks: 1 }))
    expect(cache.send([head, first, wide, ...many], 2).readTokens).toBe(2_000)
  })

  it('finds by itself whatever was sent before, in steps of 128 tokens', () => {
    const cache = createPromptCache(automatic)
    cache.send(items(['head', 1_000], ['a', 500], ['b', 700]), 0)
    expect(cache.send(items(['head', 1_000], ['a', 500], ['c', 50]), 1)).toMatchObject({
      readTokens: 1_024 + 3 * 128,
      missTokens: 0,
    })
  })

  it('caches nothing where the endpoint does not', () => {
    expect(createPromptCache(null).send(items(['head', 5_000]), 0)).toMatchObject({
      readTokens: 0,
      writeTokens: 0,
      missTokens: 5_000,
    })
  })

  it.each([explicit, automatic])('bills the same however often it forgets what is long past: $kind', (rules) => {
    const [forgetful, other] = [createPromptCache(rules, 40), createPromptCache(rules)]
    let sent = items(['head', 2_000])
    for (let request = 0; request < 400; request += 1) {
      sent =
        request % 50 === 49
          ? items(['head', 2_000], [`summary ${request}`, 300])
          : [...sent, ...items([`m${request}`, 90])]
      expect(forgetful.send(sent, request * 1_000)).toEqual(other.send(sent, request * 1_000))
    }
  })

  it('accounts for every token once, whatever is sent', () => {
    const request = fc.array(
      fc.record({
        key: fc.constantFrom('a', 'b', 'c', 'd'),
        tokens: fc.nat(3_000),
        blocks: fc.integer({ min: 1, max: 30 }),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(
        fc.constantFrom(explicit, automatic, null),
        fc.array(request, { maxLength: 12 }),
        (rules, requests) => {
          const cache = createPromptCache(rules)
          requests.forEach((sent, index) => {
            const { readTokens, writeTokens, missTokens } = cache.send(sent, index * MINUTE)
            expect(readTokens + writeTokens + missTokens).toBe(sent.reduce((sum, { tokens }) => sum + tokens, 0))
            expect(Math.min(readTokens, writeTokens, missTokens)).toBeGreaterThanOrEqual(0)
          })
        },
      ),
    )
  })
})
