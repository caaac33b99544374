import { restoreManifest } from '@longhaul/engine/advanced'
import type { Manifest, StoredManifest } from '@longhaul/engine/advanced'

/** Stored manifests in the order of their numbers, whole again. What rests on one that is not there is left out. */
export function restoreManifests(stored: readonly StoredManifest[]): readonly Manifest[] {
  const whole: Manifest[] = []
  let previous: Manifest | null = null
  for (const one of stored) {
    previous = restoreManifest(one, previous)
    if (previous !== null) whole.push(previous)
  }
  return whole
}
