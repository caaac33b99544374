import { createQueue } from '@longhaul/engine/advanced'
import type { InboxItem } from '@longhaul/store/port'
import { settleItems } from '../session/active-session.ts'
import type { ActiveSession } from '../session/active-session.ts'

/** What waits for the session's owner. Cancels and approvals are for what is under way, so they are never waited for. */
export interface InboxReader {
  /** Deals with the cancels and approvals that have come; returns the oldest of the rest that may be begun. */
  readonly look: () => Promise<InboxItem | null>
  /** The same, and begins with the oldest of the rest; null: there is none. */
  readonly take: () => Promise<InboxItem | null>
}

export interface InboxHandlers {
  /** Whether an item is under way beside the conversation. */
  readonly isInHand: (item: InboxItem) => boolean
  /** Whether an item may be begun now; false: it waits, and so does what came after it. */
  readonly mayBegin: (item: InboxItem) => boolean
  /** From here on a cancel is meant for this item. */
  readonly begin: (item: InboxItem) => void
  readonly cancel: () => void
  readonly answer: (callId: string, allow: boolean) => void
  /** The session was deleted: what runs is of no use any more, and what waits is not begun. */
  readonly leave: () => void
}

export function createInboxReader(session: ActiveSession, handlers: InboxHandlers): InboxReader {
  const { id, agent } = session
  const { inbox, sessions } = agent.store
  /** One look at a time: two that saw the same cancel would stop the turn it was for, and the one after it. */
  const inTurn = createQueue()

  async function read(isTaking: boolean): Promise<InboxItem | null> {
    const [waiting, record] = await Promise.all([inbox.list(id), sessions.get(id)])
    if (record === null || record.deletedAt !== null) {
      handlers.leave()
      return null
    }
    const first = waiting.find((item) => !isAtOnce(item) && !handlers.isInHand(item))
    const next = first !== undefined && handlers.mayBegin(first) ? first : null
    const atOnce = waiting.filter(isAtOnce)
    // What came before the item that is begun was meant for the one before it.
    const [earlier, later] = split(atOnce, isTaking && next !== null ? next.position : Infinity)
    earlier.forEach(deal)
    if (isTaking && next !== null) handlers.begin(next)
    later.forEach(deal)
    const ids = atOnce.map((item) => item.id)
    if (ids.length > 0) await settleItems(session, ids)
    return next
  }

  function deal({ kind, payload }: InboxItem): void {
    if (kind === 'cancel') handlers.cancel()
    else handlers.answer(String(payload['callId']), payload['allow'] === true)
  }

  return {
    look: () => inTurn(() => read(false)),
    take: () => inTurn(() => read(true)),
  }
}

function isAtOnce({ kind }: InboxItem): boolean {
  return kind === 'cancel' || kind === 'approval'
}

function split(
  items: readonly InboxItem[],
  position: number,
): readonly [earlier: readonly InboxItem[], later: readonly InboxItem[]] {
  return [items.filter((item) => item.position < position), items.filter((item) => item.position > position)]
}
