import { useEffect, useRef } from 'react'
import { findLastTurnId } from '../session/conversation.ts'
import type { Conversation } from '../session/conversation.ts'
import { isAnswerUnderWay } from '../session/list-rows.ts'
import { useSnackbar } from '../ui/snackbar.tsx'

/** Says it when history had to be trimmed, once; not again when the page is opened after the turn that did it. */
export function useTrimNotice(conversation: Conversation): void {
  const show = useSnackbar()
  const seen = useRef(new Set<string>())
  const oldTurnId = useRef<string | null>(null)
  const { cards, isLoaded } = conversation

  useEffect(() => {
    if (isLoaded && !isAnswerUnderWay(conversation)) oldTurnId.current = findLastTurnId(conversation)
    // As it was when it was loaded.
  }, [isLoaded])

  useEffect(() => {
    for (const card of cards) {
      if (card.type !== 'notice' || seen.current.has(card.id)) continue
      seen.current.add(card.id)
      if (card.turnId !== oldTurnId.current) show({ text: card.text })
    }
  }, [cards, show])
}
