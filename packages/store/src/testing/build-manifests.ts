import { storeManifest } from '@longhaul/engine/advanced'
import type { Manifest, StoredManifest } from '@longhaul/engine/advanced'
import { START_AT } from './build-entries.ts'

/** Requests of a growing conversation, numbered from 1: the first is stored in full, the others against the one before. */
export function createManifests(
  count: number,
): readonly { readonly manifest: Manifest; readonly stored: StoredManifest }[] {
  const manifests = Array.from({ length: count }, (_, index) => createManifest(index + 1))
  return manifests.map((manifest, index) => ({
    manifest,
    stored: storeManifest(manifest, manifests[index - 1] ?? null),
  }))
}

function createManifest(number: number): Manifest {
  const item = (place: number) => ({
    key: `e${place}:verbatim`,
    id: `e${place}`,
    kind: 'user' as const,
    state: 'verbatim' as const,
    tokens: place * 10,
  })
  return {
    number,
    at: START_AT + number,
    model: 'test-model',
    environmentHash: 'environment',
    baseId: null,
    items: Array.from({ length: number }, (_, index) => item(index + 1)),
    tokens: { source: 'estimated', tokens: number * 100, reportedTokens: 0 },
    numbers: null,
    repairs: [],
    bytes: number * 400,
    bytesHash: `bytes ${number}`,
  }
}
