import { EngineError, PRESETS, parsePolicy } from '@longhaul/engine/advanced'
import { describe, expect, it } from 'vitest'
import { loadFile } from '../config/testing/load-file.ts'
import { RuntimeError } from '../runtime-error.ts'
import { createPolicyFor } from './create-policy-for.ts'

const NOTHING = { agent: null, preset: null, policy: null }

describe('createPolicyFor', () => {
  it('is the default preset where nobody says anything', async () => {
    expect(createPolicyFor(await loadFile('{}'))(NOTHING)).toStrictEqual(PRESETS.longhaul)
  })

  it('takes the preset of the session, else of its agent, else of the file', async () => {
    const policyFor = createPolicyFor(
      await loadFile('{ preset: "oneclaw", agents: { list: { a: { preset: "micro" }, b: {} } } }'),
    )
    expect(policyFor(NOTHING)).toStrictEqual(PRESETS.oneclaw)
    expect(policyFor({ ...NOTHING, agent: 'a' })).toStrictEqual(PRESETS.micro)
    expect(policyFor({ ...NOTHING, agent: 'b' })).toStrictEqual(PRESETS.oneclaw)
    expect(policyFor({ ...NOTHING, agent: 'a', preset: 'spec008' })).toStrictEqual(PRESETS.spec008)
  })

  it('SPEC-02 OPEN-17 lays the words of the file, of the agent and of the session over each other', async () => {
    const policyFor = createPolicyFor(
      await loadFile(`{ agents: {
        defaults: { contextPruning: { softTrimAfterTurns: 4, hardClearAfterTurns: 12 }, bootstrapMaxChars: 1000 },
        list: { a: { contextPruning: { softTrimAfterTurns: 2 } } },
      } }`),
    )
    const policy = policyFor({ agent: 'a', preset: 'spec008', policy: { bootstrapMaxChars: 500 } })
    expect(policy).toMatchObject({
      bootstrapMaxChars: 500,
      contextPruning: { mode: 'age', softTrimAfterTurns: 2, hardClearAfterTurns: 12 },
    })
    expect(policyFor({ ...NOTHING, preset: 'spec008' }).contextPruning.softTrimAfterTurns).toBe(4)
  })

  it('keeps what somebody set when the preset changes', async () => {
    const policyFor = createPolicyFor(await loadFile('{ compaction: { triggerTokens: 50000 } }'))
    for (const preset of Object.keys(PRESETS)) {
      const { compaction } = policyFor({ ...NOTHING, preset, policy: { compaction: { keepMessages: 7 } } })
      expect(compaction).toMatchObject({ triggerTokens: 50000, triggerRatio: null, reserveTokens: null })
      expect(compaction).toMatchObject({ keepMessages: 7, keepRatio: null, keepTurns: null })
    }
  })

  it('reads durations', async () => {
    const policyFor = createPolicyFor(await loadFile('{ heartbeat: { every: "45m" } }'))
    expect(policyFor(NOTHING).heartbeat.every).toBe(45 * 60_000)
  })

  it('gives the same object for the same wish', async () => {
    const policyFor = createPolicyFor(await loadFile('{ agents: { list: { a: {} } } }'))
    const words = { bootstrapMaxChars: 5 }
    expect(policyFor(NOTHING)).toBe(policyFor(NOTHING))
    expect(policyFor({ ...NOTHING, agent: 'a', policy: words })).toBe(
      policyFor({ ...NOTHING, agent: 'a', policy: words }),
    )
    const other = policyFor({ ...NOTHING, preset: 'micro', policy: words })
    expect(other).toStrictEqual(parsePolicy(PRESETS.micro, words))
  })

  it('refuses what nobody knows and what does not hold', async () => {
    const policyFor = createPolicyFor(await loadFile('{ agents: { list: { researcher: {} } } }'))
    expect(() => policyFor({ ...NOTHING, preset: 'mirco' })).toThrow('did you mean micro?')
    expect(() => policyFor({ ...NOTHING, agent: 'reseacher' })).toThrow('did you mean researcher?')
    expect(() => policyFor({ ...NOTHING, agent: 'toString' })).toThrow(RuntimeError)
    expect(() => policyFor({ ...NOTHING, policy: { compaction: { enabled: 'yes' } } })).toThrow(EngineError)
  })
})
