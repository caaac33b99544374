import type { Client, Message, NewMessage } from '@longhaul/protocol'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { Dispatch } from 'react'
import { useClient } from '../api/client-context.tsx'
import { describeError } from '../api/describe-error.ts'
import { EMPTY_CONVERSATION } from './conversation.ts'
import type { Conversation } from './conversation.ts'
import { followConversation, loadNewest } from './follow-conversation.ts'
import { reduceConversation } from './reduce-conversation.ts'
import type { ConversationAction } from './reduce-conversation.ts'

const OLDER_PAGE = 400
const NEWER_PAGE = 500
const SYNC_AGAIN_MS = 2_000

export interface ConversationHandle {
  readonly conversation: Conversation
  /** Why nothing can be shown; null while all is well. */
  readonly failure: Error | null
  readonly retry: () => void
  readonly dispatch: Dispatch<ConversationAction>
  readonly send: (message: NewMessage & { readonly id: string }) => void
  readonly loadOlder: () => void
  readonly isLoadingOlder: boolean
}

/** One session on screen: loads it, follows it, and lets its user speak. Mount it anew for another session. */
export function useConversation(sessionId: string): ConversationHandle {
  const client = useClient()
  const [conversation, dispatch] = useReducer(reduceConversation, EMPTY_CONVERSATION)
  const [failure, setFailure] = useState<Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  const latest = useRef(conversation)
  const older = useRef(false)
  const [isLoadingOlder, setIsLoadingOlder] = useState(false)
  useEffect(() => {
    latest.current = conversation
  })

  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    setFailure(null)
    followConversation({ client, sessionId, signal, dispatch }).catch((error: unknown) => {
      if (!signal.aborted) setFailure(error instanceof Error ? error : new Error(String(error)))
    })
    return () => ended.abort()
  }, [client, sessionId, attempt])

  useSync({ client, sessionId, conversation, latest, dispatch })

  const loadOlder = useCallback(() => {
    const { messages, hasOlder } = latest.current
    const first = messages[0]?.seq
    if (!hasOlder || typeof first !== 'number' || older.current) return
    const settle = (isLoading: boolean): void => {
      older.current = isLoading
      setIsLoadingOlder(isLoading)
    }
    settle(true)
    client
      .listMessages(sessionId, { before: String(first), limit: OLDER_PAGE })
      .then(({ items, next }) => dispatch({ type: 'older-loaded', items, beforeSeq: first, hasOlder: next !== null }))
      // Scrolling on asks again.
      .catch(() => undefined)
      .finally(() => settle(false))
  }, [client, sessionId])

  const send = useCallback<ConversationHandle['send']>(
    (message) => {
      const { id, text, attachments = [] } = message
      dispatch({ type: 'message-sending', id, text, attachments })
      client.sendMessage(sessionId, message).then(
        () => dispatch({ type: 'message-accepted', id }),
        (error: unknown) => dispatch({ type: 'message-refused', id, problem: describeError(error) }),
      )
    },
    [client, sessionId],
  )

  const retry = useCallback(() => setAttempt((before) => before + 1), [])
  return { conversation, failure, retry, dispatch, send, loadOlder, isLoadingOlder }
}

interface Sync {
  readonly client: Client
  readonly sessionId: string
  readonly conversation: Conversation
  readonly latest: { readonly current: Conversation }
  readonly dispatch: Dispatch<ConversationAction>
}

/** Fetches what was stored since, whenever the conversation says that there is something. */
function useSync({ client, sessionId, conversation, latest, dispatch }: Sync): void {
  const { isStale, isLoaded, connection, compactionsEvent } = conversation
  const isDue = isStale && isLoaded && connection === 'open'
  useEffect(() => {
    if (!isDue) return
    dispatch({ type: 'sync-started' })
    const { heard, messages } = latest.current
    loadNewer(client, sessionId, messages.at(-1)?.seq ?? 0).then(
      (items) => dispatch({ type: 'newer-loaded', items, asOfEvent: heard }),
      () => setTimeout(() => dispatch({ type: 'sync-failed' }), SYNC_AGAIN_MS),
    )
  }, [isDue, client, sessionId, latest, dispatch])

  const isEmptied = !isLoaded && connection === 'open'
  useEffect(() => {
    let isOver = !isEmptied
    const load = (): void => {
      const { heard } = latest.current
      loadNewest(client, sessionId).then(
        ({ items, next }) =>
          isOver || dispatch({ type: 'newer-loaded', items, asOfEvent: heard, hasOlder: next !== null }),
        () => isOver || setTimeout(load, SYNC_AGAIN_MS),
      )
    }
    if (isEmptied) load()
    return () => {
      isOver = true
    }
  }, [isEmptied, client, sessionId, latest, dispatch])

  useEffect(() => {
    // Without them, the conversation lacks no more than its dividers.
    client.listCompactions(sessionId).then(
      ({ items }) => dispatch({ type: 'compactions-loaded', items }),
      () => undefined,
    )
  }, [compactionsEvent, client, sessionId, dispatch])
}

async function loadNewer(client: Client, sessionId: string, afterSeq: number): Promise<readonly Message[]> {
  const found: Message[] = []
  for (let after: string | null = String(afterSeq); after !== null;) {
    const { items, next }: Awaited<ReturnType<Client['listMessages']>> = await client.listMessages(sessionId, {
      after,
      limit: NEWER_PAGE,
    })
    found.push(...items)
    after = next
  }
  return found
}
