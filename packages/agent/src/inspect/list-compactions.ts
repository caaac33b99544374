import { MODEL_FREE_STRATEGY, renderDocument } from '@longhaul/engine/advanced'
import type { CompactionEntry, Entry, LedgerFact, SummaryItem, Usage } from '@longhaul/engine/advanced'
import type { Store } from '@longhaul/store/port'
import { walkEntries } from '../session/walk-entries.ts'
import { walkPathBack } from '../session/walk-path-back.ts'
import { createPathTrace } from './path-trace.ts'

/** A line of a summary under its heading; `sources` are the ids of the messages it rests on. */
export interface SummaryLine extends SummaryItem {
  readonly section: string
}

export interface CompactionRecord {
  readonly id: string
  readonly at: number
  readonly reason: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly score: number | null
  /** The name of what made it: a strategy of the policy, or `extractive` where code did. */
  readonly strategy: string
  /** null: no model wrote it. */
  readonly model: string | null
  readonly cost: number | null
  /** Of the calls that made it; null: none was billed. */
  readonly usage: Usage | null
  /** The way that was gone because no model could or was to be asked; null: a model was. */
  readonly fallback: 'extractive' | null
  readonly summary: string
  /** The same line by line, to be shown with what each rests on. */
  readonly items: readonly SummaryLine[]
  /** What code took from the messages and put beside it. */
  readonly ledger: readonly LedgerFact[]
  /** The messages it stands for: what it covers beyond the compaction before it. */
  readonly coveredIds: readonly string[]
  readonly undone: boolean
}

/**
 * Every compaction of a session, oldest first; those taken back too. One that the conversation branched off before counts
 * as taken back. Reads the whole transcript once.
 */
export async function listCompactions(
  store: Pick<Store, 'entries'>,
  sessionId: string,
): Promise<readonly CompactionRecord[]> {
  const found: { readonly entry: CompactionEntry; readonly coveredIds: readonly string[] }[] = []
  const undoings: { readonly id: string; readonly compaction: string }[] = []
  const trace = createPathTrace()
  /** Where the context started above each base, by its id. */
  const starts = new Map<string, number>()
  for await (const entry of walkEntries(store, sessionId)) {
    trace.follow(entry)
    if (entry.type === 'compaction-undone') undoings.push(entry)
    else if (entry.type === 'reset' || entry.type === 'trim') starts.set(entry.id, startAbove(entry))
    else if (entry.type === 'compaction') {
      const from = starts.get(entry.previous?.id ?? '') ?? 0
      starts.set(entry.id, startAbove(entry))
      const carried = new Set(entry.carried.map(({ id }) => id))
      const covered = trace.messagesSince(from).filter(({ seq, id }) => seq < entry.fromSeq && !carried.has(id))
      found.push({ entry, coveredIds: covered.map(({ id }) => id) })
    }
  }
  const isOnPath = trace.path()
  const undone = new Set(undoings.filter(({ id }) => isOnPath(id)).map(({ compaction }) => compaction))
  return found.map(({ entry, coveredIds }) => describe(entry, coveredIds, undone.has(entry.id) || !isOnPath(entry.id)))
}

/** One of them, read from its own stretch of the transcript and what came after it; null: there is none of that id. */
export async function findCompaction(
  store: Pick<Store, 'entries'>,
  sessionId: string,
  id: string,
): Promise<CompactionRecord | null> {
  const entry = await store.entries.find(sessionId, id)
  if (entry?.type !== 'compaction') return null
  const base = entry.previous === null ? null : await store.entries.find(sessionId, entry.previous.id)
  const carried = new Set(entry.carried.map((each) => each.id))
  const coveredIds: string[] = []
  for await (const covered of walkPathBack(store, sessionId, { to: entry.seq - 1 })) {
    if (covered.seq < startAbove(base)) break
    const isCovered = covered.type === 'message' && covered.seq < entry.fromSeq && !carried.has(covered.id)
    if (isCovered) coveredIds.unshift(covered.id)
  }
  let isUndone = false
  for await (const later of walkEntries(store, sessionId, { from: entry.seq + 1 }))
    isUndone ||= later.type === 'compaction-undone' && later.compaction === id
  return describe(entry, coveredIds, isUndone)
}

/** Where the context starts that stands on a base. */
function startAbove(base: Entry | null): number {
  if (base?.type === 'reset') return base.seq + 1
  return base?.type === 'trim' || base?.type === 'compaction' ? base.fromSeq : 1
}

function describe(entry: CompactionEntry, coveredIds: readonly string[], isUndone: boolean): CompactionRecord {
  const { id, at, reason, tokensBefore, tokensAfter, strategy, model, document } = entry
  const isByCode = strategy === MODEL_FREE_STRATEGY
  return {
    id,
    at,
    reason,
    tokensBefore,
    tokensAfter,
    score: entry.score ?? null,
    strategy,
    model: isByCode ? null : model,
    cost: entry.usage?.costUsd ?? null,
    usage: entry.usage ?? null,
    fallback: isByCode ? 'extractive' : null,
    summary: renderDocument(document),
    items: document.sections.flatMap(({ title, items }) => items.map((item) => ({ ...item, section: title }))),
    ledger: document.ledger ?? [],
    coveredIds,
    undone: isUndone,
  }
}
