import type { CompactionEntry, Entry, EntryRef, MessageEntry, SummaryDocument } from '@longhaul/engine/advanced'

export interface Origin {
  /** What the peer calls it; a number of ours where it has no name. */
  readonly id: string | undefined
  readonly at: number
}

export type MessageFields = Omit<MessageEntry, 'type' | 'seq' | 'id' | 'at'>

export interface PeerCompaction extends Pick<CompactionEntry, 'reason' | 'strategy' | 'tokensBefore' | 'usage'> {
  readonly summary: string
  readonly firstKept: Entry | null
  readonly carried: readonly Entry[]
  readonly tokensAfter: number | undefined
}

/** Collects what a peer's transcript holds: numbers it, keeps ids unique, and chains the bases. */
export interface EntryList {
  readonly entries: readonly Entry[]
  addMessage(origin: Origin, fields: MessageFields): MessageEntry
  /** The same entry with other fields, for messages that a peer writes in several lines. */
  replaceMessage(entry: MessageEntry, fields: Partial<MessageFields>): MessageEntry
  addCompaction(origin: Origin, compaction: PeerCompaction): void
  addReset(origin: Origin): void
  addModelChange(origin: Origin, model: string): void
  /** The first message at or after a place in the list, as a compaction keeps it. */
  firstMessageFrom(index: number): Entry | null
  finish(): readonly Entry[]
}

export function createEntryList(): EntryList {
  const entries: Entry[] = []
  const usedIds: UsedIds = new Map()
  const unmeasured = new Set<number>()
  let base: EntryRef | null = null

  function identify(origin: Origin): { seq: number; id: string; at: number } {
    const seq = entries.length + 1
    const id = unusedId(origin.id === undefined || origin.id === '' ? `entry-${seq}` : origin.id, usedIds)
    return { seq, id, at: origin.at }
  }

  return {
    entries,
    addMessage(origin, fields) {
      const entry: MessageEntry = { type: 'message', ...identify(origin), ...fields }
      entries.push(entry)
      return entry
    },
    replaceMessage(entry, fields) {
      const replaced: MessageEntry = { ...entry, ...fields }
      entries[entry.seq - 1] = replaced
      return replaced
    },
    addCompaction(origin, { summary, firstKept, carried, tokensAfter, ...rest }) {
      const identity = identify(origin)
      entries.push({
        type: 'compaction',
        ...identity,
        document: proseDocument(summary),
        fromSeq: firstKept?.seq ?? identity.seq,
        firstKept: firstKept === null ? null : { ...refTo(firstKept), at: firstKept.at },
        carried: carried.map(refTo),
        previous: base,
        tokensAfter: tokensAfter ?? 0,
        model: null,
        ...rest,
      })
      if (tokensAfter === undefined) unmeasured.add(identity.seq)
      base = { id: identity.id, seq: identity.seq }
    },
    addReset(origin) {
      const identity = identify(origin)
      entries.push({ type: 'reset', ...identity })
      base = { id: identity.id, seq: identity.seq }
    },
    addModelChange(origin, model) {
      entries.push({ type: 'model-change', ...identify(origin), model })
    },
    firstMessageFrom(index) {
      return entries.slice(index).find((entry) => entry.type === 'message') ?? null
    },
    finish() {
      return entries.map((entry) =>
        entry.type === 'compaction' && unmeasured.has(entry.seq)
          ? { ...entry, tokensAfter: nextBilledInput(entries, entry.seq) }
          : entry,
      )
    },
  }
}

/** Ids that are taken, each with the number of its last copy: many entries of one id are named in one walk. */
export type UsedIds = Map<string, number>

export function unusedId(wanted: string, used: UsedIds): string {
  let id = wanted
  let copy = used.get(wanted) ?? 1
  while (used.has(id)) {
    copy += 1
    id = `${wanted}-${copy}`
  }
  used.set(wanted, copy)
  used.set(id, used.get(id) ?? 1)
  return id
}

/** Where a peer does not say what a compaction left, the next bill does, up to the question it answers. */
function nextBilledInput(entries: readonly Entry[], seq: number): number {
  for (const entry of entries.slice(seq)) {
    if (entry.type === 'compaction') return 0
    if (entry.type === 'message' && entry.usage !== undefined) return entry.usage.input
  }
  return 0
}

function refTo({ id, seq }: Entry): EntryRef {
  return { id, seq }
}

/** A peer does not say which message each sentence rests on, so the one item names no source. */
function proseDocument(text: string): SummaryDocument {
  return { version: 1, sections: [{ title: '', items: [{ id: 'summary', text, sources: [], status: 'open' }] }] }
}
