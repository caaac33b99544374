import { useSyncExternalStore } from 'react'

/** Whether a media query holds at the moment. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query)
      list.addEventListener('change', onChange)
      return () => list.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}

/** Room for the list of chats beside the chat. */
export const WIDE = '(min-width: 56rem)'
/** Room for the context beside both. */
export const WIDEST = '(min-width: 78rem)'
