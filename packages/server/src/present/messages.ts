import type { List, Message } from '@longhaul/protocol'
import { readOwed, walkPathBack } from '@longhaul/runtime'
import type { Entry, InboxItem, MessageEntry, Store } from '@longhaul/runtime'

export interface MessagePage {
  /** Those after this place in the transcript. */
  readonly after?: number
  /** Those before it: the last of them, in order all the same. */
  readonly before?: number
  readonly limit: number
}

const PAGE_ENTRIES = 50
/** Where a page ends, however few messages it holds; it always holds one. Attachments count with their full length. */
const MAX_PAGE_CHARS = 8_000_000

/** The originals, in order; where the page ends with the newest, those that still wait come last. */
export async function listMessages(
  store: Pick<Store, 'entries' | 'inbox' | 'repairHead' | 'sessions'>,
  sessionId: string,
  page: MessagePage,
): Promise<List<Message>> {
  const owed = await readOwed(store, sessionId)
  // Asked before the transcript: what moves into the transcript meanwhile is found there as well, and not told twice.
  const waiting = (await store.inbox.list(sessionId)).filter(({ kind }) => kind === 'message')
  const found =
    page.before === undefined ? await readOnwards(store, sessionId, page) : await readBack(store, sessionId, page)
  const known = new Set(found.items.map(({ id }) => id))
  const queued = found.isNewest ? waiting.filter(({ id }) => !known.has(id)).map(presentWaiting) : []
  return {
    items: [...found.items.map((entry) => presentStored(entry, owed?.id === entry.id)), ...queued],
    next: found.next === null ? null : String(found.next),
  }
}

interface Found {
  readonly items: readonly MessageEntry[]
  readonly next: number | null
  /** Nothing in the transcript comes after it. */
  readonly isNewest: boolean
}

/** Other entries lie between messages. Those of other branches are passed over. */
async function readOnwards(
  store: Pick<Store, 'entries' | 'sessions'>,
  sessionId: string,
  { after = 0, limit }: MessagePage,
): Promise<Found> {
  const items: MessageEntry[] = []
  const isFull = createBound(limit)
  const isOnPath = await findPathAfter(store, sessionId, after)
  for (let from = after + 1; ;) {
    const entries = await store.entries.read(sessionId, { from, limit: PAGE_ENTRIES })
    for (const entry of entries) {
      if (!isMessage(entry) || !isOnPath(entry)) continue
      // One more than there is room for: there is a next page.
      if (isFull(entry)) return { items, next: items.at(-1)?.seq ?? null, isNewest: false }
      items.push(entry)
    }
    const last = entries.at(-1)
    if (last === undefined || entries.length < PAGE_ENTRIES) return { items, next: null, isNewest: true }
    from = last.seq + 1
  }
}

async function readBack(
  store: Pick<Store, 'entries'>,
  sessionId: string,
  { before = Infinity, limit }: MessagePage,
): Promise<Found> {
  const isNewest = (await store.entries.read(sessionId, { from: before, limit: 1 })).length === 0
  const items: MessageEntry[] = []
  const isFull = createBound(limit)
  for await (const entry of walkPathBack(store, sessionId, { to: before - 1 })) {
    if (!isMessage(entry)) continue
    if (isFull(entry)) return { items, next: items[0]?.seq ?? null, isNewest }
    items.unshift(entry)
  }
  return { items, next: null, isNewest }
}

/** Which messages after a place belong to the branch in force. Only logs that a host wrote have several. */
async function findPathAfter(
  store: Pick<Store, 'entries' | 'sessions'>,
  sessionId: string,
  after: number,
): Promise<(entry: Entry) => boolean> {
  const record = await store.sessions.get(sessionId)
  if (typeof record?.header['origin'] !== 'string') return () => true
  const seqs = new Set<number>()
  for await (const { seq } of walkPathBack(store, sessionId)) {
    if (seq <= after) break
    seqs.add(seq)
  }
  return ({ seq }) => seqs.has(seq)
}

/** Asked of one message after the other: whether the page has no room for it. */
function createBound(limit: number): (entry: MessageEntry) => boolean {
  let count = 0
  let chars = 0
  return (entry) => {
    count += 1
    chars += JSON.stringify(entry.parts).length
    return count > limit || (count > 1 && chars > MAX_PAGE_CHARS)
  }
}

function isMessage(entry: Entry): entry is MessageEntry {
  return entry.type === 'message'
}

function presentStored(entry: MessageEntry, isOwed: boolean): Message {
  const message = entry as unknown as Message
  return isOwed ? { ...message, owed: true } : message
}

function presentWaiting({ id, at, payload }: InboxItem): Message {
  const text = typeof payload['text'] === 'string' ? payload['text'] : ''
  const attachments = Array.isArray(payload['attachments'])
    ? (payload['attachments'] as unknown as Message['parts'])
    : []
  const parts: Message['parts'] = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...attachments]
  return { type: 'message', seq: null, id, at, role: 'user', parts, queued: true }
}
