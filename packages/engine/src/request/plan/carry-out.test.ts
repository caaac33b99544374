import { expect, it } from 'vitest'
import { resolveLimits } from '../../policy/limits.ts'
import { PRESETS } from '../../policy/presets.ts'
import { UNCALIBRATED } from '../../tokens/meter.ts'
import type { Entry } from '../../transcript/entry.ts'
import { createState, foldEntry } from '../fold/fold.ts'
import { carryOut } from './carry-out.ts'
import type { CarryOutOptions } from './carry-out.ts'
import { planNext } from './plan.ts'

const policy = PRESETS.longhaul
const limits = resolveLimits(policy, { windowTokens: 16_000 })
const environment = { system: null, files: [], tools: [] }

/** A loop of one's own, as the examples have it. */
async function talk(turns: number, ask: CarryOutOptions['ask']): Promise<readonly string[]> {
  let state = createState()
  const types: string[] = []
  const append = (entry: object): void => {
    const seq = state.head.lastSeq + 1
    const written = { id: `e${seq}`, at: 0, ...entry, seq } as Entry
    types.push(written.type)
    state = foldEntry(state, written)
  }
  for (let turn = 0; turn < turns; turn += 1) {
    append({
      type: 'message',
      role: 'user',
      parts: [{ type: 'text', text: `Note ${turn}. ${'It rained. '.repeat(200)}` }],
    })
    append({ type: 'message', role: 'assistant', parts: [{ type: 'text', text: 'Noted.' }] })
    for (;;) {
      const context = { state, policy, limits, environment, model: null, calibration: UNCALIBRATED }
      const entry = await carryOut(planNext({ ...context, checkPoint: 'before-turn', now: 0 }), context, { ask })
      if (entry === null) break
      append(entry)
    }
  }
  return types
}

it('writes what a plan says, until there is nothing more to do', async () => {
  const types = await talk(60, async () => ({ text: '+ Goal: write down the weather', finish: 'stop' }))
  expect(types).toContain('compaction')
  expect(types).toContain('flush')
})

it('ONE-14 a summariser that never answers ends in what needs none', async () => {
  const types = await talk(60, () => Promise.reject(new Error('down')))
  expect(types.filter((type) => type === 'maintenance-failed').length).toBeGreaterThanOrEqual(3)
  expect(types).toContain('compaction')
})
