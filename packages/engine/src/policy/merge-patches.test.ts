import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../transcript/json.ts'
import { mergePatches } from './merge-patches.ts'
import { parsePolicy } from './parse-policy.ts'
import { PRESETS } from './presets.ts'

describe('mergePatches', () => {
  it('wins key by key, at any depth; lists are replaced whole', () => {
    expect(
      mergePatches(
        { bootstrapMaxChars: 5, contextPruning: { mode: 'off', tools: { allow: ['a'], deny: ['b'] } } },
        { contextPruning: { ttl: '5m', tools: { allow: ['c', 'd'] } } },
      ),
    ).toEqual({
      bootstrapMaxChars: 5,
      contextPruning: { mode: 'off', ttl: '5m', tools: { allow: ['c', 'd'], deny: ['b'] } },
    })
  })

  it('one key of a one-of group removes what the earlier patch said for the others', () => {
    expect(
      mergePatches({ compaction: { keepTurns: 5, triggerRatio: 0.5 } }, { compaction: { keepRatio: 0.2 } }),
    ).toEqual({
      compaction: { triggerRatio: 0.5, keepRatio: 0.2 },
    })
  })

  it('takes a group over a switched-off one, and the other way round', () => {
    expect(mergePatches({ compaction: { preview: null } }, { compaction: { preview: { toolInputChars: 1 } } })).toEqual(
      {
        compaction: { preview: { toolInputChars: 1 } },
      },
    )
    expect(mergePatches({ compaction: { preview: { toolInputChars: 1 } } }, { compaction: { preview: null } })).toEqual(
      {
        compaction: { preview: null },
      },
    )
  })

  it('keeps a key called __proto__ a key', () => {
    const odd = JSON.parse('{"__proto__":{"polluted":true}}') as JsonObject
    expect(JSON.stringify(mergePatches({}, odd))).toBe(JSON.stringify(odd))
    expect(mergePatches(odd, {})).not.toHaveProperty('polluted')
  })

  it('does what both patches do in turn', () => {
    const compaction = fc.oneof(
      fc.record({ enabled: fc.boolean(), keepTurns: fc.integer({ min: 1, max: 9 }) }, { requiredKeys: [] }),
      fc.record(
        { keepMessages: fc.integer({ min: 1, max: 9 }), triggerTokens: fc.constant(9_000) },
        { requiredKeys: [] },
      ),
      fc.record({ keepRecentTokens: fc.constant(900), reserveTokens: fc.constant(9_000) }, { requiredKeys: [] }),
    )
    const patch = fc.record({ compaction, bootstrapMaxChars: fc.integer({ min: 1, max: 9 }) }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(PRESETS)), patch, patch, (base, earlier, later) => {
        const merged = mergePatches(earlier, later)
        expect(parsePolicy(base, merged)).toEqual(parsePolicy(base, earlier, later))
      }),
    )
  })
})
