import { PRESETS } from '@longhaul/engine/advanced'
import type { ContextPolicy, PresetName } from '@longhaul/engine/advanced'
import type { ReplayPolicy } from './carrier.ts'
import { createEngineCarrier } from './engine-carrier.ts'

const ABOUT: Readonly<Record<PresetName, string>> = {
  longhaul: 'Longhaul’s default',
  oneclaw: 'seeds 000 and 002',
  openclaw: 'seed 001',
  micro: 'seed 003',
  spec008: 'seed 004',
}

export function createPresetPolicy(name: PresetName): ReplayPolicy {
  return createLonghaulPolicy(
    { name, about: ABOUT[name], source: 'packages/engine/src/policy/presets.ts' },
    PRESETS[name],
  )
}

/** A policy of one's own: a preset with some keys changed, for one. */
export function createLonghaulPolicy(
  names: Pick<ReplayPolicy, 'name' | 'about' | 'source'>,
  policy: ContextPolicy,
): ReplayPolicy {
  return {
    ...names,
    kind: 'longhaul',
    canRecall: true,
    start: (options) => createEngineCarrier(policy, options),
  }
}
