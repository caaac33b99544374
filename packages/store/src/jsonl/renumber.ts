import type { CompactionEntry, Entry, EntryRef } from '@longhaul/engine/advanced'
import { unusedId } from './entry-list.ts'
import type { UsedIds } from './entry-list.ts'

/**
 * Entries as a store needs them: numbered 1, 2, 3 … with ids that occur once. Whole transcripts come back as the same
 * list. Where lines were lost, references move to what is left, so that no base points at nothing.
 */
export function renumber(entries: readonly Entry[]): readonly Entry[] {
  const used: UsedIds = new Map()
  const names = entries.map(({ id }) => unusedId(id, used))
  if (entries.every(({ seq, id }, index) => seq === index + 1 && id === names[index])) return entries
  const places = new Map<string, number>()
  for (const [index, { id }] of entries.entries()) if (!places.has(id)) places.set(id, index)
  return entries.map((entry, index) =>
    withIdentity(withReferences(entry, { entries, places, index }), { seq: index + 1, id: names[index] ?? entry.id }),
  )
}

interface Surroundings {
  readonly entries: readonly Entry[]
  readonly places: ReadonlyMap<string, number>
  readonly index: number
}

function withIdentity(entry: Entry, identity: EntryRef): Entry {
  if (entry.type !== 'unknown') return { ...entry, ...identity }
  return { ...entry, ...identity, original: { ...entry.original, ...identity } }
}

function withReferences(entry: Entry, around: Surroundings): Entry {
  if (entry.type === 'compaction' || entry.type === 'trim') {
    const moved = {
      fromSeq: moveSeq(entry.fromSeq, around),
      firstKept: moveFirstKept(entry.firstKept, around),
      previous: movePrevious(entry.previous, around),
      carried: entry.carried.flatMap((ref) => moveRef(ref, around)),
    }
    if (entry.type === 'compaction') return { ...entry, ...moved }
    return { ...entry, ...moved, summary: entry.summary === null ? null : (moveRef(entry.summary, around)[0] ?? null) }
  }
  if (entry.type !== 'prune') return entry
  const decisions = entry.decisions.flatMap((decision) =>
    moveRef(decision.entry, around).map((ref) => ({ ...decision, entry: ref })),
  )
  return { ...entry, decisions }
}

function moveRef(ref: EntryRef, { places }: Surroundings): readonly EntryRef[] {
  const place = places.get(ref.id)
  return place === undefined ? [] : [{ ...ref, seq: place + 1 }]
}

/** What stood from there on still does: the entries before it are counted anew. */
function moveSeq(seq: number, { entries, index }: Surroundings): number {
  return entries.slice(0, index).filter((entry) => entry.seq < seq).length + 1
}

function moveFirstKept(ref: CompactionEntry['firstKept'], around: Surroundings): CompactionEntry['firstKept'] {
  if (ref === null) return null
  const [moved] = moveRef(ref, around)
  if (moved !== undefined) return { ...moved, at: ref.at }
  const place = around.entries.findIndex((entry, index) => index < around.index && entry.seq >= ref.seq)
  const next = around.entries[place]
  return next === undefined ? null : { id: next.id, seq: place + 1, at: next.at }
}

function movePrevious(ref: EntryRef | null, around: Surroundings): EntryRef | null {
  if (ref === null) return null
  const [moved] = moveRef(ref, around)
  if (moved !== undefined) return moved
  const place = around.entries.slice(0, around.index).findLastIndex(isBase)
  const base = around.entries[place]
  return base === undefined ? null : { id: base.id, seq: place + 1 }
}

function isBase({ type }: Entry): boolean {
  return type === 'compaction' || type === 'trim' || type === 'reset'
}
