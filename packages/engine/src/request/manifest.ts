import type { Reading } from '../tokens/meter.ts'
import type { PlanNumbers } from './plan/planned-step.ts'
import type { Repair, SealedRequest } from './seal/sealed-request.ts'
import type { View } from './view/view.ts'
import type { ViewItem } from './view/view-item.ts'

/** One item of a request, by reference: never its content. */
export interface ManifestItem {
  readonly key: string
  readonly id: string
  readonly kind: ViewItem['kind']
  readonly state: ViewItem['state'] | 'left-out'
  readonly tokens: number
}

/** Calls made beside the conversation: none of their words are in it, and the next request does not follow on from them. */
export type AsidePurpose = 'summary' | 'flush' | 'title' | 'heartbeat'

/** What one request held and why; enough to explain it, not to repeat it. */
export interface Manifest {
  readonly number: number
  readonly at: number
  /** Absent: it asked for the next answer of the conversation. */
  readonly purpose?: AsidePurpose
  readonly model: string
  readonly environmentHash: string
  /** The compaction, trim or reset that the context starts from. */
  readonly baseId: string | null
  readonly items: readonly ManifestItem[]
  readonly tokens: Reading
  readonly numbers: PlanNumbers | null
  readonly repairs: readonly Repair[]
  readonly bytes: number
  readonly bytesHash: string
}

/** A manifest as it is stored: against the one before it. `samePrefixItems` is also the report on the prompt cache. */
export interface StoredManifest extends Omit<Manifest, 'items'> {
  readonly samePrefixItems: number
  readonly itemsAfter: readonly ManifestItem[]
  readonly isFull: boolean
}

/** Every 64th is stored in full, and each at which the base moved, so that reading one back never walks far. */
const FULL_EVERY = 64

export interface ManifestInput {
  readonly number: number
  readonly at: number
  readonly view: View
  readonly sealed: SealedRequest
  readonly numbers: PlanNumbers | null
  readonly purpose?: AsidePurpose
}

export function createManifest({ number, at, view, sealed, numbers, purpose }: ManifestInput): Manifest {
  return {
    number,
    at,
    ...(purpose === undefined ? {} : { purpose }),
    model: sealed.anchor.model,
    environmentHash: sealed.environmentHash,
    baseId: view.baseId,
    items: view.items.map(({ key, id, kind, state, tokens }) => ({ key, id, kind, state, tokens })),
    tokens: sealed.tokens,
    numbers,
    repairs: sealed.repairs,
    bytes: sealed.bytes,
    bytesHash: sealed.bytesHash,
  }
}

export function storeManifest(manifest: Manifest, previous: Manifest | null): StoredManifest {
  const { items, ...rest } = manifest
  const samePrefixItems = previous === null ? 0 : countSamePrefix(manifest, previous)
  const isNext = previous?.number === manifest.number - 1 && previous.baseId === manifest.baseId
  const isFull = !isNext || samePrefixItems === 0 || manifest.number % FULL_EVERY === 0
  return { ...rest, samePrefixItems, itemsAfter: isFull ? items : items.slice(samePrefixItems), isFull }
}

/** The whole manifest again; null if it rests on one that is not there. */
export function restoreManifest(stored: StoredManifest, previous: Manifest | null): Manifest | null {
  const { samePrefixItems, itemsAfter, isFull, ...rest } = stored
  if (isFull) return { ...rest, items: itemsAfter }
  if (previous === null || previous.number !== stored.number - 1) return null
  return { ...rest, items: [...previous.items.slice(0, samePrefixItems), ...itemsAfter] }
}

/** A prompt cache holds for one model, and starts with what surrounds the messages. */
function countSamePrefix(manifest: Manifest, before: Manifest): number {
  if (manifest.model !== before.model || manifest.environmentHash !== before.environmentHash) return 0
  const length = Math.min(manifest.items.length, before.items.length)
  for (let index = 0; index < length; index += 1) {
    if (manifest.items[index]?.key !== before.items[index]?.key) return index
  }
  return length
}
