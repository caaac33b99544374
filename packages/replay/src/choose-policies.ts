import { DEFAULT_PRESET, PRESETS, findNearestName } from '@longhaul/engine/advanced'
import type { PresetName } from '@longhaul/engine/advanced'
import type { Registry } from '@longhaul/models/prices'
import type { ReplayPolicy } from './carriers/carrier.ts'
import { createPresetPolicy } from './carriers/longhaul-policy.ts'
import { asRecorded } from './carriers/recorded-policy.ts'
import { PEERS, createPeerPolicy } from './peers/peers.ts'
import { ReplayError } from './replay-error.ts'

/** Every policy that has a name, by the name one types: the default, the other presets, peers, the transcript's own program. */
export const NAMED_POLICIES: ReadonlyMap<string, ReplayPolicy> = new Map([
  ...[DEFAULT_PRESET, ...(Object.keys(PRESETS) as PresetName[])].map(
    (name) => [name, createPresetPolicy(name)] as const,
  ),
  ...PEERS.map((peer) => [typedName(peer.name), createPeerPolicy(peer)] as const),
  ['recorded', asRecorded],
])

export function listPolicyNames(kind: ReplayPolicy['kind']): readonly string[] {
  return [...NAMED_POLICIES].flatMap(([name, policy]) => (policy.kind === kind ? [name] : []))
}

/** In the order of the names, each once. */
export function choosePolicies(names: readonly string[]): readonly ReplayPolicy[] {
  return [...new Set(names.map(findPolicy))]
}

/** Refuses an id that neither the table nor the configuration knows: without window and price nothing could be compared. */
export function checkModel(id: string, registry: Registry): void {
  const { contextWindow, price } = registry.describe(id)
  if (contextWindow !== null || price !== null) return
  const known = registry.list().map((model) => model.id)
  throw new ReplayError(
    'unknown-model',
    `No model is called "${id}"${describeNearest(id, known, '`longhaul models` lists them')}`,
  )
}

function findPolicy(name: string): ReplayPolicy {
  const found = NAMED_POLICIES.get(typedName(name))
  if (found !== undefined) return found
  const known = [...NAMED_POLICIES.keys()]
  throw new ReplayError(
    'unknown-policy',
    `No policy is called "${name}"${describeNearest(name, known, `there are ${known.join(', ')}`)}`,
  )
}

function typedName(name: string): string {
  return name.trim().toLowerCase().replaceAll(' ', '-')
}

function describeNearest(name: string, known: readonly string[], otherwise: string): string {
  const nearest = findNearestName(name, known)
  return nearest === undefined ? `; ${otherwise}.` : `; did you mean ${nearest}?`
}
