import { type Estimator, estimateField } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'
import type { LedgerFact, SummaryDocument, SummaryItem, SummarySection } from '../transcript/summary-document.ts'
import { updateLedger } from './ledger/ledger.ts'
import { createTimeline, scoreTimelineItem, timelineSeq } from './timeline.ts'

export const TIMELINE_TITLE = 'What happened'

export interface ExtractiveOptions {
  readonly previousDocument: SummaryDocument | null
  /** For the sections; the ledger has a budget of its own where it is rendered. */
  readonly budgetTokens: number
  readonly estimator: Estimator
  /** The ledger of the span, if it is known already. */
  readonly ledger?: readonly LedgerFact[]
}

/**
 * A summary without a model: who asked what, what came of it, in their own words, with the ledger. Earlier sections are
 * carried as they are. Over the budget, timeline items leave whole, the least telling and oldest first; what stays stays
 * byte for byte.
 */
export function createExtractiveSummary(items: readonly Item[], options: ExtractiveOptions): SummaryDocument {
  const { previousDocument, budgetTokens, estimator } = options
  const ledger = options.ledger ?? updateLedger(previousDocument?.ledger ?? [], items)
  const carried = previousDocument?.sections ?? []
  const others = carried.filter(({ title }) => title !== TIMELINE_TITLE)
  const before = carried.filter(({ title }) => title === TIMELINE_TITLE).flatMap((section) => section.items)
  const added = createTimeline(items.map(({ entry }) => entry))
  const isAnswered = added.some(({ id }) => /^[ar]/.test(id))
  const timeline = withoutRepeats([...(isAnswered ? before.map(settle) : before), ...added])
  const left = budgetTokens - tokensOf(others, estimator)
  const kept = keepBest(timeline, left, estimator)
  const sections = kept.length === 0 ? others : [...others, { title: TIMELINE_TITLE, items: kept }]
  return { version: 1, sections, ledger }
}

/** An ask is no longer the open one once a reply or another ask followed it. */
function settle(item: SummaryItem): SummaryItem {
  return item.status === 'open' ? { ...item, status: 'done' } : item
}

function keepBest(items: readonly SummaryItem[], budgetTokens: number, estimator: Estimator): readonly SummaryItem[] {
  const newest = items.reduce((seq, item) => Math.max(seq, timelineSeq(item)), 0)
  const ranked = items
    .map((item, index) => ({ item, index, score: scoreTimelineItem(item, newest) + (item.status === 'open' ? 10 : 0) }))
    .toSorted((a, b) => b.score - a.score || b.index - a.index)
  const kept = new Set<SummaryItem>()
  let tokens = estimateField(TIMELINE_TITLE, estimator) + 4
  for (const { item } of ranked) {
    const cost = estimateField(item.text, estimator) + 2
    if (tokens + cost > budgetTokens) continue
    tokens += cost
    kept.add(item)
  }
  return items.filter((item) => kept.has(item))
}

function tokensOf(sections: readonly SummarySection[], estimator: Estimator): number {
  let tokens = 0
  for (const { title, items } of sections) {
    tokens += estimateField(title, estimator) + 4
    for (const item of items) tokens += estimateField(item.text, estimator) + 2
  }
  return tokens
}

/** Said again word for word, a line stays where it was first. */
function withoutRepeats(items: readonly SummaryItem[]): readonly SummaryItem[] {
  const seen = new Set<string>()
  return items.filter(({ id, text }) => {
    const isNew = !seen.has(id) && !seen.has(text)
    seen.add(id).add(text)
    return isNew
  })
}
