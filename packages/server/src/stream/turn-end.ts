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

/** It goes on when they have run. */
function callsTools({ parts }: MessageEntry): boolean {
  return parts.some(({ type }) => type === 'tool-call')
}
