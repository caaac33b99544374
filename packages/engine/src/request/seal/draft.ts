import type { Message } from '../../transcript/message.ts'
import type { ViewItem } from '../view/view-item.ts'

/** A message of a request in the making, and what it was made of. */
export interface Draft extends Message {
  readonly kind: ViewItem['kind']
  readonly place: ViewItem['place']
}

/** Without reasoning that was made for another prefix: providers refuse it, and half of it is worse than none. */
export function createDraft({ message, kind, place }: ViewItem, dropsReasoning: boolean): Draft {
  const parts = dropsReasoning ? message.parts.filter((part) => part.type !== 'reasoning') : message.parts
  return { role: message.role, parts, kind, place }
}
