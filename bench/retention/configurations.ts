import { PRESETS } from '@longhaul/engine/advanced'
import type { ContextPolicy, PresetName } from '@longhaul/engine/advanced'
import { choosing, sentence } from './summarisers.ts'
import type { Summariser } from './summarisers.ts'

/** One way of carrying a conversation. */
export interface Configuration {
  /** As the tables call it. */
  readonly preset: string
  readonly policy: ContextPolicy
  readonly windowTokens: number
  readonly summariser: Summariser
}

export const OURS: PresetName = 'longhaul'
export const SEEDS: readonly PresetName[] = ['oneclaw', 'openclaw', 'micro', 'spec008']
/** Longhaul when no model can be had. It asks nobody, so it stands beside each summariser as the same. */
const MODEL_FREE = 'longhaul, no model'
export const SUMMARISERS: readonly Summariser[] = [choosing, sentence]

export function createConfigurations(
  windows: readonly number[],
  summarisers: readonly Summariser[],
): readonly Configuration[] {
  const { longhaul } = PRESETS
  const modelFree = { ...longhaul, compaction: { ...longhaul.compaction, strategy: 'extractive' } }
  return windows.flatMap((windowTokens) =>
    summarisers.flatMap((summariser) => [
      { preset: OURS, policy: longhaul, windowTokens, summariser },
      { preset: MODEL_FREE, policy: modelFree, windowTokens, summariser },
      ...SEEDS.map((preset) => ({ preset, policy: PRESETS[preset], windowTokens, summariser })),
    ]),
  )
}
