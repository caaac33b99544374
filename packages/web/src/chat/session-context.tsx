import { createContext, useContext } from 'react'

/** What the pieces of a conversation can do with the session they belong to. */
export interface SessionActions {
  readonly sessionId: string
  /** Brings an original message on screen, loading it first where that is needed. */
  readonly scrollToMessage: (messageId: string) => void
  readonly openSession: (sessionId: string) => void
  readonly openContext: () => void
  /** Shows the card of a compaction. */
  readonly openCompaction: (compactionId: string) => void
}

const SessionContext = createContext<SessionActions | null>(null)

export const SessionProvider = SessionContext.Provider

export function useSessionActions(): SessionActions {
  const actions = useContext(SessionContext)
  if (actions === null) throw new Error('useSessionActions is used outside of a SessionProvider.')
  return actions
}
