import { useCallback } from 'react'
import type { Dispatch } from 'react'
import { useClient } from '../app/client-context.tsx'
import type { ConversationAction } from '../session/reduce-conversation.ts'
import { useSessionActions } from './session-context.tsx'

/** Runs a slash command and puts what came of it into the conversation. */
export function useCommands(dispatch: Dispatch<ConversationAction>): (line: string) => void {
  const client = useClient()
  const { sessionId, openSession } = useSessionActions()
  return useCallback(
    (line) => {
      const id = crypto.randomUUID()
      dispatch({ type: 'command-started', id, line })
      client.runCommand(sessionId, line).then(
        (result) => {
          dispatch({ type: 'command-done', id, result })
          if (result.command === 'new') openSession(result.session.id)
        },
        (error: unknown) => {
          const problem = error instanceof Error ? error.message : String(error)
          dispatch({ type: 'command-failed', id, problem })
        },
      )
    },
    [client, sessionId, openSession, dispatch],
  )
}
