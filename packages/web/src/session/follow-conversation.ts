import type { Client, Message } from '@longhaul/protocol'
import type { ConversationAction } from './reduce-conversation.ts'

const FIRST_PAGE = 60
/** For a turn that is longer than the first page. */
const NEXT_PAGE = 400
/** Before it stands everything. */
const END = '999999999999999'

export interface FollowInput {
  readonly client: Pick<Client, 'listMessages' | 'follow'>
  readonly sessionId: string
  readonly signal: AbortSignal
  readonly dispatch: (action: ConversationAction) => void
}

/**
 * Loads the newest page, and more until the last turn is there, then tells every event from the beginning of that turn
 * on, until the signal. So a page that is opened while an answer streams shows that answer from its first word.
 */
export async function followConversation({ client, sessionId, signal, dispatch }: FollowInput): Promise<void> {
  let { items, next } = await loadNewest(client, sessionId)
  if (signal.aborted) return
  dispatch({ type: 'newer-loaded', items, asOfEvent: 0, hasOlder: next !== null })
  let begin = findBegin(items)
  while (begin?.role !== 'user' && typeof begin?.seq === 'number' && next !== null) {
    const beforeSeq = begin.seq
    ;({ items, next } = await client.listMessages(sessionId, { before: String(beforeSeq), limit: NEXT_PAGE }))
    if (signal.aborted) return
    dispatch({ type: 'older-loaded', items, beforeSeq, hasOlder: next !== null })
    const earlier = findBegin(items)
    if (earlier === undefined) break
    begin = earlier
  }
  const events = client.follow(sessionId, {
    signal,
    ...(begin === undefined ? { after: '0' } : { since: begin.id }),
    onStart: (after) => dispatch({ type: 'stream-started', after: Number(after) }),
    onConnection: (isConnected) => dispatch({ type: 'connection', isConnected }),
  })
  for await (const numbered of events) dispatch({ type: 'event', numbered })
}

/** The newest page of messages. */
export function loadNewest(
  client: Pick<Client, 'listMessages'>,
  sessionId: string,
): ReturnType<Client['listMessages']> {
  return client.listMessages(sessionId, { before: END, limit: FIRST_PAGE })
}

/** Where the last turn begins, among the messages of a page; failing that, where the page does. */
function findBegin(items: readonly Message[]): Message | undefined {
  const stored = items.filter(({ queued }) => queued !== true)
  return stored.findLast(({ role }) => role === 'user') ?? stored[0]
}
