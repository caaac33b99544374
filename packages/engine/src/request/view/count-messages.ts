import { hasToolCall } from '../../messages/tool-pairs.ts'
import type { View } from './view.ts'

/** As they will be sent: a message with calls is followed by one with all their results, however many of those are stored. */
export function countMessages({ items }: View): number {
  const said = items.filter((item) => item.place === 'message' && item.kind !== 'tool')
  return said.length + said.filter((item) => hasToolCall(item.message)).length
}
