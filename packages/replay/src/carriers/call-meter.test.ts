import { PRESETS, parsePolicy } from '@longhaul/engine/advanced'
import { expect, it } from 'vitest'
import { replay } from '../run/replay.ts'
import { buildSession } from '../testing/build-session.ts'
import { createLonghaulPolicy } from './longhaul-policy.ts'

const countTokens = (text: string): number => Math.ceil(text.length / 4)

it('bills a summary for the notes that a model would write, not for the ledger beside them', async () => {
  const names = (name: string) => ({ name, about: '', source: '' })
  const retelling = parsePolicy(PRESETS.longhaul, { compaction: { strategy: 'summarize' } })
  const policies = [
    createLonghaulPolicy(names('changes'), PRESETS.longhaul),
    createLonghaulPolicy(names('retells'), retelling),
  ]
  const session = buildSession({ turns: 40, stepsPerTurn: 4, resultChars: 4_000 })
  const { runs } = await replay([session], policies, { countTokens, windowTokens: 40_000 })
  const [changes, retells] = runs.map(({ totals, requests }) => ({
    ...totals,
    shown: requests.map(({ layers }) => layers.summary),
  }))
  expect(changes?.compactions).toBeGreaterThan(2)
  expect(changes?.shown).toEqual(retells?.shown)
  expect(changes?.summaryCalls).toBe(retells?.summaryCalls)
  expect(changes?.summaryOutputTokens).toBeGreaterThan(0)
  expect(changes?.summaryOutputTokens).toBeLessThan((retells?.summaryOutputTokens ?? 0) / 2)
})
