import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../transcript/json.ts'
import { CEILING_KEYS, findWider, lowerPolicy, lowerWords, readCeilings } from './ceilings.ts'
import type { Ceilings } from './ceilings.ts'
import { parsePolicy } from './parse-policy.ts'
import { PRESETS } from './presets.ts'

const { longhaul } = PRESETS

function ceilingsOf(...patches: readonly JsonObject[]): Ceilings {
  return readCeilings(parsePolicy(longhaul, ...patches), ...patches)
}

/** A value for every ceiling key that the owner sets, one that is wider and one that is narrower. */
const CASES: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
  ['contextTokens', { contextTokens: 50_000 }, { contextTokens: 50_001 }, { contextTokens: 1_000 }],
  ['contextTokens', { contextTokens: 50_000 }, { contextTokens: 'off' }, { contextTokens: 50_000 }],
  ['workspaceAccess', { workspaceAccess: 'ro' }, { workspaceAccess: 'rw' }, { workspaceAccess: 'none' }],
  ['workspaceAccess', { workspaceAccess: 'none' }, { workspaceAccess: 'ro' }, { workspaceAccess: 'none' }],
  ['heartbeat.every', { heartbeat: { every: 'off' } }, { heartbeat: { every: '1h' } }, { heartbeat: { every: null } }],
  ['heartbeat.every', { heartbeat: { every: '1h' } }, { heartbeat: { every: 0 } }, { heartbeat: { every: '2h' } }],
  [
    'toolDefinitions.maxRatio',
    { toolDefinitions: { maxRatio: 0.1 } },
    { toolDefinitions: { maxRatio: 1 } },
    { toolDefinitions: { maxRatio: 0.05 } },
  ],
  [
    'toolResults.artifacts',
    { toolResults: { artifacts: false } },
    { toolResults: { artifacts: true } },
    { toolResults: { artifacts: false } },
  ],
  [
    'compaction.maxOutputTokens',
    { compaction: { maxOutputTokens: 500 } },
    { compaction: { maxOutputTokens: 501 } },
    { compaction: { maxOutputTokens: 5 } },
  ],
  [
    'compaction.retries',
    { compaction: { retries: 1 } },
    { compaction: { retries: 9 } },
    { compaction: { retries: 0 } },
  ],
  [
    'compaction.memoryFlush.enabled',
    { compaction: { memoryFlush: { enabled: false } } },
    { compaction: { memoryFlush: { enabled: true } } },
    { compaction: { memoryFlush: { enabled: false } } },
  ],
]

describe('ceilings', () => {
  it('has a case below for every key that is one', () => {
    expect(new Set(CASES.map(([key]) => key))).toStrictEqual(new Set(CEILING_KEYS.keys()))
  })

  it.each(CASES)('18.8 lowers %s from what is wider than %j, and only that', (key, owner, wider, narrower) => {
    const ceilings = ceilingsOf(owner)
    const own = parsePolicy(longhaul, owner)
    expect(lowerPolicy(parsePolicy(own, wider), ceilings)).toStrictEqual(own)
    expect(findWider(wider, ceilings).map((wish) => wish.key)).toStrictEqual([key])
    const lowered = lowerWords(wider, findWider(wider, ceilings))
    expect(findWider(lowered, ceilings)).toStrictEqual([])
    expect(parsePolicy(own, lowered)).toStrictEqual(own)

    const less = parsePolicy(own, narrower)
    expect(lowerPolicy(less, ceilings)).toBe(less)
    expect(findWider(narrower, ceilings)).toStrictEqual([])
  })

  it('are what the latest of the owner’s patches says', () => {
    const ceilings = ceilingsOf({ workspaceAccess: 'none' }, { workspaceAccess: 'ro' })
    expect(findWider({ workspaceAccess: 'ro' }, ceilings)).toStrictEqual([])
    expect(findWider({ workspaceAccess: 'rw' }, ceilings)).toStrictEqual([
      { key: 'workspaceAccess', asked: 'rw', allowed: 'ro' },
    ])
  })

  it('are none where nobody but the preset said something, or where a key is a plain default', () => {
    expect(ceilingsOf({ bootstrapMaxChars: 5, compaction: { triggerRatio: 0.5, model: 'a/b' } }).size).toBe(0)
    for (const preset of Object.values(PRESETS)) expect(readCeilings(preset).size).toBe(0)
  })

  it('take nothing from words that cannot be read', () => {
    const ceilings = ceilingsOf({ workspaceAccess: 'ro', heartbeat: { every: '1h' } })
    const odd = JSON.parse('{"workspaceAccess":"root","heartbeat":"rw","__proto__":{"workspaceAccess":"rw"}}')
    expect(findWider(odd as JsonObject, ceilings)).toStrictEqual([])
  })
})
