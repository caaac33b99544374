import { renderDocument } from '@longhaul/engine'
import type { CompactionEntry, Entry } from '@longhaul/engine'
import type { Store } from '@longhaul/store/port'

export interface CompactionRecord {
  readonly id: string
  readonly at: number
  readonly reason: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly score: number | null
  readonly model: string | null
  readonly cost: number | null
  readonly summary: string
  /** The messages it stands for: what it covers beyond the compaction before it. */
  readonly coveredIds: readonly string[]
  readonly undone: boolean
}

const PAGE_ENTRIES = 1_000

/** Every compaction of a session, oldest first; those taken back too. Reads the whole transcript once. */
export async function listCompactions(
  store: Pick<Store, 'entries'>,
  sessionId: string,
): Promise<readonly CompactionRecord[]> {
  const found: { readonly entry: CompactionEntry; readonly coveredIds: readonly string[] }[] = []
  const undone = new Set<string>()
  const messages: { readonly seq: number; readonly id: string }[] = []
  /** Where the context started above each base, by its id. */
  const starts = new Map<string, number>()
  for await (const entry of readAll(store, sessionId)) {
    if (entry.type === 'message') messages.push({ seq: entry.seq, id: entry.id })
    else if (entry.type === 'compaction-undone') undone.add(entry.compaction)
    else if (entry.type === 'reset') starts.set(entry.id, entry.seq + 1)
    else if (entry.type === 'trim') starts.set(entry.id, entry.fromSeq)
    else if (entry.type === 'compaction') {
      const from = starts.get(entry.previous?.id ?? '') ?? 0
      starts.set(entry.id, entry.fromSeq)
      const carried = new Set(entry.carried.map(({ id }) => id))
      const covered = messages.filter(({ seq, id }) => seq >= from && seq < entry.fromSeq && !carried.has(id))
      found.push({ entry, coveredIds: covered.map(({ id }) => id) })
    }
  }
  return found.map(({ entry, coveredIds }) => describe(entry, coveredIds, undone.has(entry.id)))
}

function describe(entry: CompactionEntry, coveredIds: readonly string[], isUndone: boolean): CompactionRecord {
  const { id, at, reason, tokensBefore, tokensAfter, model, document } = entry
  return {
    id,
    at,
    reason,
    tokensBefore,
    tokensAfter,
    score: entry.score ?? null,
    model,
    cost: entry.usage?.costUsd ?? null,
    summary: renderDocument(document),
    coveredIds,
    undone: isUndone,
  }
}

async function* readAll(store: Pick<Store, 'entries'>, sessionId: string): AsyncGenerator<Entry> {
  for (let from = 1; ;) {
    const page = await store.entries.read(sessionId, { from, limit: PAGE_ENTRIES })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_ENTRIES) return
    from = last.seq + 1
  }
}
