import type { Item } from '../../transcript/item.ts'
import type { FactKind, LedgerFact } from '../../transcript/summary-document.ts'
import { extractFacts } from '../extract-facts.ts'
import { ANSWERED, askText, isAnswered } from '../facts/ask-facts.ts'
import { combineFacts, factKey } from '../facts/fact-collector.ts'
import { TODO_NOTE } from '../facts/open-work-facts.ts'
import { joinPaths } from './join-paths.ts'
import { rankFacts } from './rank-facts.ts'

/** How many facts of a kind a ledger holds. More than any window shows, few enough to be stored with every compaction. */
export const LEDGER_LIMITS: Readonly<Record<FactKind, number>> = {
  'first-ask': 1,
  'latest-ask': 1,
  instruction: 60,
  'open-work': 40,
  'file-changed': 400,
  ask: 250,
  decision: 60,
  failure: 40,
  command: 200,
  'file-read': 500,
  url: 80,
  id: 400,
  figure: 250,
}

/** The ledger after one more span of messages. */
export function updateLedger(previous: readonly LedgerFact[], span: readonly Item[]): readonly LedgerFact[] {
  const next = extractFacts(span)
  const merged = mergeLedgers(previous, next)
  if (next.some(({ kind }) => kind === 'latest-ask') || !isAnswered(span.map(({ entry }) => entry))) return merged
  return merged.map((fact) => (fact.kind === 'latest-ask' ? { ...fact, note: ANSWERED } : fact))
}

/**
 * The latest ask of a ledger, seen beside the messages that stay: a newer ask among them stands there word for word, and
 * the older one would pass for it; a reply among them has answered it.
 */
export function settleLatestAsk(ledger: readonly LedgerFact[], kept: readonly Item[]): readonly LedgerFact[] {
  const entries = kept.map(({ entry }) => entry)
  if (entries.some((entry) => entry.role === 'user' && askText(entry) !== ''))
    return ledger.filter(({ kind }) => kind !== 'latest-ask')
  if (!isAnswered(entries)) return ledger
  return ledger.map((fact) => (fact.kind === 'latest-ask' ? { ...fact, note: ANSWERED } : fact))
}

/**
 * One ledger of two, the newer second: counts add, newer notes win, a path that was changed is no longer listed as read,
 * the first ask stays the first and the latest becomes the latest. Bounded per kind by rank; the order is always the same.
 */
export function mergeLedgers(previous: readonly LedgerFact[], next: readonly LedgerFact[]): readonly LedgerFact[] {
  const facts = new Map<string, LedgerFact>()
  for (const fact of [...withoutReplaced(previous, next), ...next]) {
    const key = fact.kind === 'first-ask' || fact.kind === 'latest-ask' ? fact.kind : factKey(fact)
    const known = facts.get(key)
    facts.set(key, known === undefined ? fact : mergeTwo(known, fact))
  }
  return bound(rankFacts(joinPaths([...facts.values()])))
}

function mergeTwo(known: LedgerFact, fact: LedgerFact): LedgerFact {
  if (fact.kind === 'first-ask') return fact.lastSeq < known.lastSeq ? fact : known
  if (fact.kind === 'latest-ask') return fact.lastSeq >= known.lastSeq ? fact : known
  return combineFacts(known, fact)
}

/** A newer to-do list stands for the whole plan: points it no longer has are gone. */
function withoutReplaced(previous: readonly LedgerFact[], next: readonly LedgerFact[]): readonly LedgerFact[] {
  return next.some(isTodo) ? previous.filter((fact) => !isTodo(fact)) : previous
}

function isTodo({ kind, note }: LedgerFact): boolean {
  return kind === 'open-work' && note?.startsWith(TODO_NOTE) === true
}

function bound(ranked: readonly LedgerFact[]): readonly LedgerFact[] {
  const held = new Map<FactKind, number>()
  return ranked.filter(({ kind }) => {
    const count = (held.get(kind) ?? 0) + 1
    held.set(kind, count)
    return count <= LEDGER_LIMITS[kind]
  })
}
