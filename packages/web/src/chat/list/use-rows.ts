import { useMemo } from 'react'
import type { Conversation } from '../../session/conversation.ts'
import { listRecentRows, listSettledRows } from '../../session/list-rows.ts'
import type { Row } from '../../session/row.ts'

/** What is on screen. While an answer streams, only its own turn is made anew. */
export function useRows(conversation: Conversation): readonly Row[] {
  const { messages, hasOlder, compactions, cards } = conversation
  const settled = useMemo(
    () => listSettledRows({ messages, hasOlder, compactions, cards }),
    [messages, hasOlder, compactions, cards],
  )
  return useMemo(() => [...settled, ...listRecentRows(conversation)], [settled, conversation])
}
