import type { Inbox, InboxItem, NewInboxItem } from '../port/inbox.ts'
import { checkNewId } from '../records/check-id.ts'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import { StoreError } from '../store-error.ts'
import { contentOf, findSession, getSession } from './data.ts'
import type { Data, InboxRow, SessionRow } from './data.ts'
import { getOwned, isOwned } from './leases.ts'

export function createInMemoryInbox(data: Data): Inbox {
  return {
    async put(item) {
      checkNewId(item.id, 'message')
      const session = getSession(data, item.sessionId)
      if (session.deletedAt !== null) {
        throw new StoreError('not-found', `Session ${session.id} was deleted. Restore it to send messages to it.`)
      }
      const known = session.inbox.get(item.id)
      if (known !== undefined) {
        checkSame(known, item)
        return { item: toItem(session, known), status: known.settledAt === null ? 'waiting' : 'settled' }
      }
      if (session.seqById.has(item.id)) {
        throw new StoreError('id-conflict', `Session ${session.id} has an entry ${item.id} already.`)
      }
      session.lastPosition += 1
      const { sessionId: _session, payload, ...fields } = item
      const row = { ...fields, position: session.lastPosition, payloadText: JSON.stringify(payload), settledAt: null }
      session.inbox.set(item.id, row)
      data.changes.tell({ sessionId: session.id, what: 'inbox' })
      return { item: toItem(session, row), status: 'new' }
    },
    async list(sessionId) {
      const session = findSession(data, sessionId)
      return session === undefined ? [] : waitingOf(session).map((row) => toItem(session, row))
    },
    async listUnowned(limit) {
      const now = data.clock()
      return [...contentOf(data).sessions.values()]
        .filter((session) => session.deletedAt === null && !isOwned(session.lease, now))
        .flatMap((session) => {
          const times = waitingOf(session).map(({ at }) => at)
          return times.length === 0 ? [] : [{ id: session.id, since: Math.min(...times) }]
        })
        .toSorted((first, second) => first.since - second.since)
        .slice(0, clampLimit(limit))
        .map(({ id }) => id)
    },
    async settle(lease, ids) {
      settleItems(getOwned(data, lease), ids, data.clock())
      data.changes.tell({ sessionId: lease.sessionId, what: 'inbox' })
    },
    async deleteSettledBefore(at) {
      let deleted = 0
      for (const { inbox } of contentOf(data).sessions.values()) {
        for (const { id, settledAt } of inbox.values()) {
          if (settledAt !== null && settledAt < at && inbox.delete(id)) deleted += 1
        }
      }
      return deleted
    },
  }
}

export function settleItems({ inbox }: SessionRow, ids: readonly string[], now: number): void {
  for (const id of ids) {
    const row = inbox.get(id)
    if (row !== undefined) row.settledAt ??= now
  }
}

export function toItem(session: SessionRow, row: InboxRow): InboxItem {
  const { id, position, at, kind } = row
  const payload = parseObject<InboxItem['payload']>(row.payloadText, `Item ${id} of session ${session.id}`)
  return { sessionId: session.id, id, position, at, kind, payload }
}

/** Kept in order of arrival. */
function waitingOf({ inbox }: SessionRow): readonly InboxRow[] {
  return [...inbox.values()].filter(({ settledAt }) => settledAt === null)
}

function checkSame(known: InboxRow, { id, kind, payload }: NewInboxItem): void {
  if (known.kind === kind && known.payloadText === JSON.stringify(payload)) return
  throw new StoreError('id-conflict', `Something else was sent as ${id} before. Send this under an id of its own.`)
}
