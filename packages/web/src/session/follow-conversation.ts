import type { Client } from '@longhaul/protocol'
import type { ConversationAction } from './reduce-conversation.ts'

const FIRST_PAGE = 60
/** Before it stands everything. */
const END = '999999999999999'

export interface FollowInput {
  readonly client: Pick<Client, 'listMessages' | 'follow'>
  readonly sessionId: string
  readonly signal: AbortSignal
  readonly dispatch: (action: ConversationAction) => void
}

/**
 * Loads the newest page, then tells every event from the beginning of its last turn on, until the signal. So a page that
 * is opened while an answer streams shows that answer from its first word.
 */
export async function followConversation({ client, sessionId, signal, dispatch }: FollowInput): Promise<void> {
  const { items, next } = await client.listMessages(sessionId, { before: END, limit: FIRST_PAGE })
  if (signal.aborted) return
  dispatch({ type: 'newer-loaded', items, asOfEvent: 0, hasOlder: next !== null })
  const last = items.findLast(({ role, queued }) => role === 'user' && queued !== true)
  const events = client.follow(sessionId, {
    signal,
    ...(last === undefined ? { after: '0' } : { since: last.id }),
    onConnection: (isConnected) => dispatch({ type: 'connection', isConnected }),
  })
  for await (const numbered of events) dispatch({ type: 'event', numbered })
}
