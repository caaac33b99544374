import { useCallback, useState } from 'react'

/** What is typed and not sent, kept per session while this tab lives. */
export function useDraft(sessionId: string): readonly [draft: string, setDraft: (draft: string) => void] {
  const key = `draft:${sessionId}`
  const [draft, setState] = useState(() => sessionStorage.getItem(key) ?? '')
  const setDraft = useCallback(
    (next: string) => {
      setState(next)
      if (next === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, next)
    },
    [key],
  )
  return [draft, setDraft]
}
