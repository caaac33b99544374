import { isRecord } from '../../transcript/json.ts'
import type { JsonValue } from '../../transcript/json.ts'
import type { Message, Part } from '../../transcript/message.ts'
import type { ViewItem } from '../view/view-item.ts'

/** A message of a request in the making, and what it was made of. */
export interface Draft extends Message {
  readonly kind: ViewItem['kind']
  readonly place: ViewItem['place']
}

/** Without reasoning that was made for another prefix: providers refuse it, and half of it is worse than none. */
export function createDraft({ message, kind, place }: ViewItem, dropsReasoning: boolean): Draft {
  const parts = dropsReasoning ? dropReasoning(message.parts) : message.parts
  return { role: message.role, parts, kind, place }
}

/** A part may point at the reasoning it belongs to by the provider's name for it; without the one, the other is refused. */
export function dropReasoning(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part) => (part.type === 'reasoning' ? [] : [withoutReference(part)]))
}

function withoutReference<P extends Part>(part: P): P {
  const { providerOptions } = part
  if (providerOptions === undefined) return part
  const namespaces = Object.entries(providerOptions).map(([provider, options]): [string, JsonValue] => {
    if (!isRecord(options) || !('itemId' in options)) return [provider, options]
    const { itemId: _itemId, ...rest } = options
    return [provider, rest]
  })
  return { ...part, providerOptions: Object.fromEntries(namespaces) }
}
