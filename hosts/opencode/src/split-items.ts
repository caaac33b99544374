import { isRecord } from '@longhaul/engine/advanced'
import type { Item, ItemPart } from './opencode-api.ts'

/** A message of opencode holds an answer together with the results of its calls. Longhaul reads the two one after the other. */
export interface Unit {
  readonly item: Item
  readonly kind: 'message' | 'results'
}

const units = new WeakMap<Item, readonly Unit[]>()

/** Splits opencode's messages. The same message gives the same objects. */
export function splitItems(items: readonly Item[]): readonly Unit[] {
  return items.flatMap((item) => {
    const known = units.get(item) ?? splitItem(item)
    units.set(item, known)
    return known
  })
}

function splitItem(item: Item): readonly Unit[] {
  const message: Unit = { item, kind: 'message' }
  return item.parts.some(isTool) ? [message, { item, kind: 'results' }] : [message]
}

/** Puts answers and results together again. Where neither was changed, that is opencode's own message. */
export function joinUnits(list: readonly Unit[]): readonly Item[] {
  const items: Item[] = []
  for (const { item, kind } of list) {
    if (kind === 'message') items.push(item)
    else {
      const results = new Map(item.parts.filter(isTool).map((part) => [part['callID'], part]))
      const at = items.findLastIndex(({ parts }) => parts.some((part) => isTool(part) && results.has(part['callID'])))
      const call = items[at]
      if (call !== undefined && call !== item) items[at] = withResults(call, results)
    }
  }
  return items
}

function withResults(call: Item, results: ReadonlyMap<unknown, ItemPart>): Item {
  const parts = call.parts.map((part) => {
    const state = isTool(part) ? results.get(part['callID'])?.['state'] : undefined
    if (!isRecord(state)) return part
    return { ...part, state: { ...state, input: stateOf(part)['input'] } }
  })
  return { ...call, parts }
}

export function isTool(part: ItemPart): boolean {
  return part['type'] === 'tool'
}

export function stateOf(part: ItemPart): Readonly<Record<string, unknown>> {
  return isRecord(part['state']) ? part['state'] : {}
}
