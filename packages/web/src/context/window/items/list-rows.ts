import type { ContextItem } from '@longhaul/protocol'
import { LAYER_IDS, layerOf } from '../layers.ts'
import type { LayerId } from '../layers.ts'

/** A line of the list: a heading for its layer, or an item below it. */
export type ItemRow =
  | {
      readonly type: 'heading'
      readonly layer: LayerId
      readonly itemCount: number
      readonly tokens: number
    }
  | { readonly type: 'item'; readonly item: ContextItem }

/** Grouped by layer; within one the order of the request, as the model reads it. `only` leaves the other layers out. */
export function listRows(items: readonly ContextItem[], only: LayerId | null): readonly ItemRow[] {
  return LAYER_IDS.flatMap((id): readonly ItemRow[] => {
    if (only !== null && only !== id) return []
    const own = items.filter(({ kind }) => layerOf(kind) === id)
    if (own.length === 0) return []
    const tokens = own.reduce((sum, item) => sum + item.tokens, 0)
    return [
      { type: 'heading', layer: id, itemCount: own.length, tokens },
      ...own.map((item): ItemRow => ({ type: 'item', item })),
    ]
  })
}
