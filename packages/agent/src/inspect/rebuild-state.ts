import { createState, createView, findBase, findNeededEntries, openState } from '@longhaul/engine/advanced'
import type { Base, Entry, Manifest, Pin, State } from '@longhaul/engine/advanced'
import type { Store } from '@longhaul/store/port'
import type { SessionView } from '../session/session-view.ts'
import { walkEntries } from '../session/walk-entries.ts'

type Shelf = Pick<Store, 'entries'>

/**
 * The session as it was when a request was made, from its manifest: reads what that context held, however long the
 * session is. null where its base is gone.
 */
export async function rebuildState(store: Shelf, session: SessionView, manifest: Manifest): Promise<State | null> {
  const { id: sessionId } = session
  const base = await findBaseThen(store, sessionId, manifest.baseId)
  if (base === null) return null
  const pins = await findPins(store, sessionId, manifest)
  const lastSeq = await findLastSeq(store, sessionId, manifest, base)
  const { fromSeq, seqs } = findNeededEntries(base)
  const entries = [
    ...(await store.entries.readAt(sessionId, seqs)),
    ...(await Array.fromAsync(walkEntries(store, sessionId, { from: fromSeq, to: lastSeq }))),
  ]
  const head = { ...createState().head, base, pins, model: manifest.model, lastSeq }
  // Results may have been shortened between the last message and the request, or only after it.
  const later = await readPrunes(store, sessionId, lastSeq)
  const states = [...later.keys(), later.length].map((count) => openState(head, [...entries, ...later.slice(0, count)]))
  return states.find((state) => hasKeys(state, session, manifest)) ?? states[0] ?? null
}

async function findBaseThen(store: Shelf, sessionId: string, baseId: string | null): Promise<Base | null> {
  const entry = baseId === null ? 'start' : await store.entries.find(sessionId, baseId)
  return entry === null ? null : findBase(entry)
}

/** Those that stand together beside a summary are one item, named after all of them. */
async function findPins(store: Shelf, sessionId: string, { items }: Manifest): Promise<readonly Pin[]> {
  const ids = items.flatMap(({ kind, id }) => (kind === 'pin' ? id.split(',') : []))
  const entries = await Promise.all(ids.map((id) => store.entries.find(sessionId, id)))
  const pins = entries.flatMap((entry) => (entry?.type === 'pin' ? [entry] : []))
  return pins.map(({ id, seq, text }) => ({ id, seq, text })).toSorted((first, second) => first.seq - second.seq)
}

async function findLastSeq(store: Shelf, sessionId: string, { items }: Manifest, base: Base): Promise<number> {
  const last = items.findLast(({ kind }) => kind === 'user' || kind === 'assistant' || kind === 'tool')
  const entry = last === undefined ? null : await store.entries.find(sessionId, last.id)
  return Math.max(entry?.seq ?? 0, base.entry?.seq ?? 0)
}

async function readPrunes(store: Shelf, sessionId: string, lastSeq: number): Promise<readonly Entry[]> {
  const prunes: Entry[] = []
  for await (const entry of walkEntries(store, sessionId, { from: lastSeq + 1 })) {
    if (entry.type === 'message') break
    if (entry.type === 'prune') prunes.push(entry)
  }
  return prunes
}

function hasKeys(state: State, { context }: SessionView, { items }: Manifest): boolean {
  const view = createView(state, context.policy)
  return view.items.length === items.length && view.items.every(({ key }, index) => key === items[index]?.key)
}
