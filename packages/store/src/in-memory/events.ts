import type { Events } from '../port/events.ts'
import { parseObject } from '../records/entry-text.ts'
import { clampLimit } from '../records/page.ts'
import { contentOf, findSession, getSession } from './data.ts'
import type { Data } from './data.ts'
import { getOwned } from './leases.ts'

export function createInMemoryEvents(data: Data): Events {
  return {
    async add(sessionId, at, events, lease) {
      const row = lease === undefined ? getSession(data, sessionId) : getOwned(data, lease)
      const first = row.lastEventId + 1
      const added = events.map((event, index) => ({ id: first + index, at, eventText: JSON.stringify(event) }))
      row.events.push(...added)
      row.lastEventId += added.length
      if (added.length > 0) data.changes.tell({ sessionId, what: 'events' })
      return row.lastEventId
    },
    async read(sessionId, after, limit) {
      const events = findSession(data, sessionId)?.events ?? []
      return events
        .filter(({ id }) => id > after)
        .slice(0, clampLimit(limit))
        .map(({ id, at, eventText }) => ({
          id,
          at,
          event: parseObject(eventText, `Event ${id} of session ${sessionId}`),
        }))
    },
    async getLastId(sessionId) {
      return findSession(data, sessionId)?.lastEventId ?? 0
    },
    async deleteBefore(at) {
      let deleted = 0
      for (const row of contentOf(data).sessions.values()) {
        const kept = row.events.filter((event) => event.at >= at)
        deleted += row.events.length - kept.length
        row.events = kept
      }
      return deleted
    },
  }
}
