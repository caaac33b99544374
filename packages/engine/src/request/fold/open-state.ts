import { createItem } from '../../transcript/item.ts'
import type { Item } from '../../transcript/item.ts'
import type { Entry } from '../../transcript/entry.ts'
import { readEntry } from '../../transcript/read-entry.ts'
import { listOf } from './append-list.ts'
import { START_BASE, applyPrune, compactedBase, resetBase, showBase, trimmedBase } from './fold.ts'
import { findPath } from './fold-log.ts'
import { FOLD_VERSION } from './state.ts'
import type { Base, Head, State } from './state.ts'

/** The entries a session is opened with: everything from `fromSeq` on, and a few older ones by number. */
export interface NeededEntries {
  readonly fromSeq: number
  readonly seqs: readonly number[]
}

export function findNeededEntries({ fromSeq, carried, summary }: Base): NeededEntries {
  const seqs = [...carried, ...(summary === null ? [] : [summary])].map(({ seq }) => seq)
  return { fromSeq, seqs: seqs.filter((seq) => seq < fromSeq).toSorted((a, b) => a - b) }
}

/** The base an entry made; for going back to it after an undo. */
export function findBase(entry: Entry | 'start'): Base | null {
  if (entry === 'start') return START_BASE
  if (entry.type === 'compaction') return compactedBase(entry)
  if (entry.type === 'trim') return trimmedBase(entry)
  return entry.type === 'reset' ? resetBase(entry) : null
}

/** A head of another version was folded by other rules: fold all entries anew instead of opening with it. */
export function isCurrentHead(head: Head): boolean {
  return head.foldVersion === FOLD_VERSION
}

/** The same state as a fold of the whole transcript, from the stored head and the needed entries alone. */
export function openState(head: Head, entries: readonly unknown[]): State {
  const read = readEach(entries)
  const items: Item[] = []
  const path = findLastPath(read)
  for (const entry of read.values()) {
    if (entry.type === 'message' && (path === null || path.has(entry.id))) items.push(createItem(entry))
  }
  const loaded: State = {
    head,
    document: findDocument(head.base, read),
    carried: [],
    window: listOf(items),
    earlier: findEarlier(head, read),
    missing: null,
  }
  let state: State = { ...loaded, ...showBase(loaded, head.base) }
  for (const entry of read.values()) if (entry.type === 'prune') state = applyPrune(state, entry.decisions)
  return state
}

/** The entries of the branch in force; null: there is only one. */
function findLastPath(read: EntriesBySeq): ReadonlySet<string> | null {
  const entries = [...read.values()]
  const last = entries.at(-1)
  if (last === undefined || !entries.some(({ type }) => type === 'branch')) return null
  return findPath(entries, last)
}

type EntriesBySeq = ReadonlyMap<number, Entry>

/** In order, each once: what is read by number may lie in the range as well. */
function readEach(entries: readonly unknown[]): EntriesBySeq {
  const read = entries.flatMap((value) => readEntry(value) ?? []).toSorted((a, b) => a.seq - b.seq)
  return new Map(read.map((entry) => [entry.seq, entry]))
}

function findDocument({ summary }: Base, read: EntriesBySeq): State['document'] {
  const entry = summary === null ? undefined : read.get(summary.seq)
  return entry?.type === 'compaction' ? entry.document : null
}

/** The bases below, as far as all their entries were read: an undo goes back to them without asking for more. */
function findEarlier({ base, lastSeq }: Head, read: EntriesBySeq): State['earlier'] {
  const earlier: State['earlier'][number][] = []
  for (let below = findBelow(base, read); below !== null; below = findBelow(below, read)) {
    if (!isRead(below, read, lastSeq)) break
    earlier.unshift({ base: below, document: findDocument(below, read) })
  }
  return earlier
}

function findBelow({ kind, entry: own, previous }: Base, read: EntriesBySeq): Base | null {
  if (own === null || kind === 'reset') return null
  if (previous === null) return START_BASE
  // A damaged entry may point at itself or at a later one.
  const entry = previous.seq < own.seq ? read.get(previous.seq) : undefined
  return entry?.id === previous.id ? findBase(entry) : null
}

function isRead(base: Base, read: EntriesBySeq, lastSeq: number): boolean {
  const { fromSeq, seqs } = findNeededEntries(base)
  for (let seq = Math.max(1, fromSeq); seq <= lastSeq; seq += 1) if (!read.has(seq)) return false
  return seqs.every((seq) => read.has(seq))
}
