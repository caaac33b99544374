import type { CommandResult } from '@longhaul/protocol'
import { useCallback } from 'react'
import type { Dispatch } from 'react'
import { useClient } from '../api/client-context.tsx'
import { describeError } from '../api/describe-error.ts'
import { createId } from '../session/create-id.ts'
import type { ConversationAction } from '../session/reduce-conversation.ts'
import { useSessionActions } from './session-context.tsx'

/** Runs a slash command and puts what came of it into the conversation. */
export function useCommands(dispatch: Dispatch<ConversationAction>): (line: string) => void {
  const client = useClient()
  const { sessionId, openSession } = useSessionActions()
  return useCallback(
    (line) => {
      const id = createId()
      dispatch({ type: 'command-started', id, line })
      void runInto(dispatch, id, client.runCommand(sessionId, line)).then((result) => {
        if (result?.command === 'new') openSession(result.session.id)
        return result
      })
    },
    [client, sessionId, openSession, dispatch],
  )
}

/** Never rejects: what went wrong stands in the card. */
async function runInto(
  dispatch: Dispatch<ConversationAction>,
  id: string,
  running: Promise<CommandResult>,
): Promise<CommandResult | null> {
  try {
    const result = await running
    dispatch({ type: 'command-done', id, result })
    return result
  } catch (error) {
    dispatch({ type: 'command-failed', id, problem: describeError(error) })
    return null
  }
}
