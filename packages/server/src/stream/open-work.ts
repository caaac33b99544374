import { readOwed } from '@longhaul/runtime'
import type { Entry, Store, StoredEvent } from '@longhaul/runtime'

/** Most answers are found in the first page. */
const PAGE_ENTRIES = 50

/** Something that was asked here was not answered. */
export async function owesAnswer(store: Pick<Store, 'sessions' | 'repairHead'>, sessionId: string): Promise<boolean> {
  return (await readOwed(store, sessionId)) !== null
}

/** Nobody has written to a session without events or requests: what an imported one ends with is nobody's question here. */
export async function wasUsed(store: Pick<Store, 'events' | 'requests'>, sessionId: string): Promise<boolean> {
  return (await store.events.getLastId(sessionId)) > 0 || (await store.requests.getLastNumber(sessionId)) > 0
}

/** A call of the newest answer that has no result yet. */
export async function hasOpenCall(store: Pick<Store, 'entries'>, sessionId: string, callId: string): Promise<boolean> {
  for await (const entry of readBackwards(store, sessionId)) {
    if (entry.type === 'reset') return false
    if (entry.type !== 'message') continue
    const own = entry.parts.find((part) => 'toolCallId' in part && part.toolCallId === callId)
    if (own !== undefined) return own.type === 'tool-call'
    if (entry.role === 'assistant') return false
  }
  return false
}

/** Something waits, is being answered, or is being done after an answer. */
export async function isAtWork(
  store: Pick<Store, 'sessions' | 'repairHead' | 'inbox' | 'events' | 'leases'>,
  sessionId: string,
): Promise<boolean> {
  if ((await store.inbox.list(sessionId)).length > 0 || (await owesAnswer(store, sessionId))) return true
  if ((await store.leases.getOwner(sessionId)) === null) return false
  const newest = await store.events.getLastId(sessionId)
  const told = await store.events.read(sessionId, Math.max(0, newest - TAIL_EVENTS), TAIL_EVENTS)
  const compacting = told.findLast(({ event }) => String(event['type']).startsWith('compact-'))
  if (compacting?.event['type'] === 'compact-started') return true
  const last = told.findLast(({ event }) => !isBeside(event))
  return last !== undefined && !IS_LAST.has(last.event['type'])
}

/** More than work beside a conversation tells of itself at a time. */
const TAIL_EVENTS = 20
/** After these, nothing is under way. */
const IS_LAST: ReadonlySet<unknown> = new Set(['done', 'request-settled', 'titled'])

/** Events of maintenance that runs beside whatever else is under way, and may outlive it. */
function isBeside({ type, turnId }: StoredEvent['event']): boolean {
  return turnId === null && BESIDE.has(type)
}

const BESIDE: ReadonlySet<unknown> = new Set([
  'flush-started',
  'flush-completed',
  'compact-started',
  'compact-completed',
  'context-trimmed',
])

async function* readBackwards({ entries }: Pick<Store, 'entries'>, sessionId: string): AsyncGenerator<Entry> {
  for (let to: number | undefined; to !== 0;) {
    const page = await entries.read(sessionId, {
      fromEnd: true,
      limit: PAGE_ENTRIES,
      ...(to === undefined ? {} : { to }),
    })
    yield* page.toReversed()
    to = (page[0]?.seq ?? 1) - 1
  }
}
