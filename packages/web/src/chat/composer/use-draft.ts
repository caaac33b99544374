import { useCallback, useState } from 'react'

/** What is typed and not sent, kept per session while this tab lives. */
export function useDraft(sessionId: string): readonly [draft: string, setDraft: (draft: string) => void] {
  const [draft, setState] = useState(() => sessionStorage.getItem(keyOf(sessionId)) ?? '')
  const setDraft = useCallback(
    (next: string) => {
      setState(next)
      keepDraft(sessionId, next)
    },
    [sessionId],
  )
  return [draft, setDraft]
}

/** Before the session is on screen, this is what its user will find typed. */
export function keepDraft(sessionId: string, draft: string): void {
  if (draft === '') sessionStorage.removeItem(keyOf(sessionId))
  else sessionStorage.setItem(keyOf(sessionId), draft)
}

function keyOf(sessionId: string): string {
  return `draft:${sessionId}`
}
