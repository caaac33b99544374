import { estimateMessage } from '@longhaul/engine/advanced'
import type { Conversation } from './conversation.ts'
import { MAX_COMPACTIONS } from './measure.ts'

/** Ten moments, evenly spaced by tokens, at each of which somebody compacts: the same for every preset and window. */
export function findMoments({ messages, tokens }: Conversation): ReadonlySet<number> {
  const moments = new Set<number>()
  let before = 0
  messages.forEach((message, index) => {
    const due = ((moments.size + 1) * tokens) / (MAX_COMPACTIONS + 1)
    if (message.role !== 'tool' && before >= due && moments.size < MAX_COMPACTIONS) moments.add(index)
    before += estimateMessage(message, 'classes')
  })
  return moments
}

/** Before the first message of the user in the second half. */
export function findMiddle({ messages }: Conversation): ReadonlySet<number> {
  const index = messages.findIndex(({ role }, at) => role === 'user' && at >= messages.length / 2)
  return new Set(index === -1 ? [] : [index])
}
