import type { Entry, MessageEntry, Store } from '@longhaul/runtime'

/** What the transcript says of a turn. */
export interface TurnEnd {
  /** The last answer; null: it was passed over. */
  readonly answer: MessageEntry | null
  /** Somebody has spoken since. */
  readonly isFollowed: boolean
}

const PAGE_ENTRIES = 200

/** How the turn of a message ended, whatever became of its events; null: it has not, as far as the transcript tells. */
export async function findTurnEnd(
  store: Pick<Store, 'entries'>,
  sessionId: string,
  message: Pick<Entry, 'seq'>,
): Promise<TurnEnd | null> {
  let answer: MessageEntry | null = null
  for (let from = message.seq + 1; ;) {
    const page = await store.entries.read(sessionId, { from, limit: PAGE_ENTRIES })
    for (const entry of page) {
      if (entry.type !== 'message') continue
      if (entry.role === 'user') return { answer, isFollowed: true }
      if (entry.role === 'assistant') answer = entry
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_ENTRIES) break
    from = last.seq + 1
  }
  return answer === null || callsTools(answer) ? null : { answer, isFollowed: false }
}

function callsTools({ parts }: MessageEntry): boolean {
  return parts.some(({ type }) => type === 'tool-call')
}

const LAST_ENTRIES = 50

/** The transcript ends with something that was not answered. */
export async function owesAnswer(store: Pick<Store, 'entries'>, sessionId: string): Promise<boolean> {
  const entries = await store.entries.read(sessionId, { fromEnd: true, limit: LAST_ENTRIES })
  const last = entries.findLast((entry) => entry.type === 'message' || entry.type === 'reset')
  if (last?.type !== 'message') return false
  return last.role !== 'assistant' || callsTools(last)
}

/** A call of the newest answer that has no result yet. */
export async function findOpenCall(
  store: Pick<Store, 'entries'>,
  sessionId: string,
  callId: string,
): Promise<boolean> {
  const entries = await store.entries.read(sessionId, { fromEnd: true, limit: LAST_ENTRIES })
  const parts = entries.flatMap((entry) => (entry.type === 'message' ? entry.parts : []))
  const has = (type: string): boolean => parts.some((part) => part.type === type && 'toolCallId' in part && part.toolCallId === callId)
  return has('tool-call') && !has('tool-result')
}

/** Something waits, is being answered, or is being done after an answer. */
export async function isAtWork(
  store: Pick<Store, 'entries' | 'inbox' | 'events' | 'leases'>,
  sessionId: string,
): Promise<boolean> {
  if ((await store.inbox.list(sessionId)).length > 0 || (await owesAnswer(store, sessionId))) return true
  if ((await store.leases.getOwner(sessionId)) === null) return false
  const newest = await store.events.getLastId(sessionId)
  const [last] = await store.events.read(sessionId, Math.max(0, newest - 1), 1)
  return last !== undefined && last.event['type'] !== 'done' && last.event['type'] !== 'request-settled'
}
