import {
  createQueue,
  findBase,
  findNeededEntries,
  foldEntries,
  foldEntry,
  isCurrentHead,
  openState,
} from '@longhaul/engine/advanced'
import type { Base, Entry, Head, NewEntry, State } from '@longhaul/engine/advanced'
import type { Lease, Store } from '@longhaul/store/port'
import { walkEntries } from './walk-entries.ts'

type Unwritten<T> = T extends NewEntry ? Omit<T, 'id' | 'at'> & { readonly id?: string } : never

/** An entry without its place, time and, if it has none yet, its name. */
export type EntryDraft = Unwritten<NewEntry>

interface AppendOptions {
  /** Inbox items that are dealt with by it. */
  readonly settles?: readonly string[]
  /** It only brings into the transcript what it settles: durable in the inbox, and moved again if this is lost. */
  readonly isKeptElsewhere?: boolean
  /** The inbox item that the one entry answers: it settles the item and takes its id, by which the answer is found again. */
  readonly answers?: string | undefined
  /** For work prepared earlier: refused if the base has moved since. */
  readonly epoch?: number
}

/** The transcript of one session in the hands of its owner: every write folds, and the fold is the state. */
export interface SessionLog {
  readonly sessionId: string
  state(): State
  /** All or nothing. Resolves once it is durable, or moved, with the entries as they were stored. */
  append(drafts: readonly EntryDraft[], options?: AppendOptions): Promise<readonly Entry[]>
  /** Called with the entries of every append, once they are durable. */
  onAppend(listener: (entries: readonly Entry[]) => void): void
  /** Reads what lies above an earlier base, so that an undo can go back to it. The head stays as it is. */
  loadFrom(base: NonNullable<State['missing']>): Promise<void>
}

export interface SessionLogOptions {
  readonly store: Store
  readonly sessionId: string
  /** null: for reading alone. */
  readonly lease: Lease | null
  readonly head: Head
  readonly now: () => number
  readonly createId: () => string
}

export async function openSessionLog(options: SessionLogOptions): Promise<SessionLog> {
  const { store, sessionId, lease, now, createId } = options
  let state = await loadState(store, sessionId, options.head)
  /** One append after the other: each continues what the one before it left. */
  const inTurn = createQueue()
  const listeners: ((entries: readonly Entry[]) => void)[] = []

  async function write(drafts: readonly EntryDraft[], how: AppendOptions): Promise<readonly Entry[]> {
    const { answers, epoch, isKeptElsewhere = false, settles = answers === undefined ? [] : [answers] } = how
    if (lease === null) throw new Error(`Session ${sessionId} is only looked at here; its owner writes.`)
    let next = state
    const entries: Entry[] = []
    for (const draft of drafts) {
      const entry = { id: answers ?? createId(), ...draft, at: now(), seq: next.head.lastSeq + 1 } as Entry
      entries.push(entry)
      next = foldEntry(next, entry)
    }
    if (next.missing !== null) next = await loadBehind(store, sessionId, next)
    await store.entries.append({
      lease,
      entries,
      head: next.head,
      ...(settles.length === 0 ? {} : { settles }),
      ...(isKeptElsewhere ? { isKeptElsewhere } : {}),
      ...(epoch === undefined ? {} : { epoch }),
    })
    state = next.head.base.entry?.id === state.head.base.entry?.id ? next : forgetCovered(next)
    for (const listener of listeners) listener(entries)
    return entries
  }

  return {
    sessionId,
    state: () => state,
    append: (drafts, how = {}) => inTurn(() => write(drafts, how)),
    onAppend: (listener) => void listeners.push(listener),
    async loadFrom(wanted) {
      const base = await findEarlierBase(store, sessionId, wanted)
      if (base === null) return
      const { head } = state
      const [own, earlier] = await Promise.all([
        store.entries.readAt(sessionId, findNeededEntries(head.base).seqs),
        readNeeded(store, sessionId, { ...head, base }),
      ])
      state = openState(head, [...own, ...earlier])
    },
  }
}

/**
 * The base has moved: what lies before it is in the store and need not be in memory. Else a session that stays open would
 * hold everything that was ever said in it. What is left is what opening it again would read.
 */
function forgetCovered(state: State): State {
  const { carried, window } = state
  const backing = [...carried, ...window.backing.slice(window.start, window.end)]
  return { ...state, window: { backing, start: carried.length, end: backing.length }, earlier: [] }
}

/** From the head and what lies after the base; a head of another version is folded anew from everything. */
async function loadState(store: Store, sessionId: string, head: Head): Promise<State> {
  if (isCurrentHead(head)) return openState(head, await readNeeded(store, sessionId, head))
  return foldEntries(await readFrom(store, sessionId, 1))
}

/** An undo went back to a base whose messages are not in memory. */
async function loadBehind(store: Store, sessionId: string, state: State): Promise<State> {
  const { missing } = state
  if (missing === null) return state
  const base = await findEarlierBase(store, sessionId, missing)
  // A base that is not there any more: what the whole transcript says, counts.
  if (base === null) return foldEntries(await readFrom(store, sessionId, 1))
  const head = { ...state.head, base }
  return openState(head, await readNeeded(store, sessionId, head))
}

async function findEarlierBase(
  store: Store,
  sessionId: string,
  wanted: NonNullable<State['missing']>,
): Promise<Base | null> {
  const entry = wanted === 'start' ? 'start' : await store.entries.find(sessionId, wanted.id)
  return entry === null ? null : findBase(entry)
}

async function readNeeded(store: Store, sessionId: string, { base }: Head): Promise<readonly Entry[]> {
  const { fromSeq, seqs } = findNeededEntries(base)
  const [older, newer] = await Promise.all([
    seqs.length === 0 ? [] : store.entries.readAt(sessionId, seqs),
    readFrom(store, sessionId, fromSeq),
  ])
  return [...older, ...newer]
}

function readFrom(store: Store, sessionId: string, fromSeq: number): Promise<readonly Entry[]> {
  return Array.fromAsync(walkEntries(store, sessionId, { from: fromSeq }))
}
