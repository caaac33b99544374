import type { BranchEntry, Entry, EntryRef } from '../../transcript/entry.ts'
import { readEntry } from '../../transcript/read-entry.ts'
import { createState, foldEntry, withHead } from './fold.ts'
import type { State } from './state.ts'

/** Folds a log from its start; from a given `state` on, a branch may need entries that are not here (`missing`). */
export function foldEntries(entries: readonly unknown[], from?: State): State {
  return entries.reduce<State>((state, value, index) => {
    const next = foldEntry(state, value)
    if (next.missing === null || from !== undefined) return next
    const entry = readEntry(value)
    return entry?.type === 'branch' ? foldBranch(next, entry, entries.slice(0, index)) : next
  }, from ?? createState())
}

/**
 * The state after a branch to any message of the log: that of the entries on its path. Prune decisions stay in force wherever they
 * were made, and what the session has cost and counted never runs backwards.
 */
export function foldBranch(current: State, { to, seq }: BranchEntry, entries: readonly unknown[]): State {
  const read = entries.flatMap((value) => readEntry(value) ?? [])
  const path = findPath(read, to)
  const state = read
    .filter((entry) => path.has(entry.id) || entry.type === 'prune')
    .reduce<State>(foldEntry, createState())
  const { lastSeq, totals, cycle, compactionCount, compactionFailures, compactionFailedAt, flush, lastCall } =
    current.head
  const { model, settings, environmentHash, foreignSeq } = current.head
  const counted = { lastSeq, totals, cycle, compactionCount, compactionFailures, compactionFailedAt, flush, lastCall }
  return withHead(state, { ...counted, model, settings, environmentHash, foreignSeq, epoch: seq })
}

/** The entries that lead to a message: each continues the one before it, and the first one after a branch what that names. */
export function findPath(entries: readonly Entry[], to: EntryRef | null): ReadonlySet<string> {
  const places = new Map(entries.map(({ id }, index) => [id, index]))
  const path = new Set<string>()
  let place = to === null ? -1 : (places.get(to.id) ?? -1)
  while (place >= 0) {
    const entry = entries[place]
    if (entry === undefined) break
    path.add(entry.id)
    // A damaged entry may point at itself or at a later one.
    const before = entry.type !== 'branch' ? place - 1 : entry.to === null ? -1 : (places.get(entry.to.id) ?? -1)
    place = before < place ? before : -1
  }
  return path
}
