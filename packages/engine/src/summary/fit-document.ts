import { type Estimator, estimateField } from '../tokens/estimate-message.ts'
import type { SummaryDocument, SummaryItem } from '../transcript/summary-document.ts'
import { renderDocument } from './render-document.ts'

export interface FitOptions {
  readonly budgetTokens: number
  readonly estimator: Estimator
}

export interface FittedDocument {
  readonly document: SummaryDocument
  readonly leftOut: number
}

/**
 * The document within a budget. Items leave whole: what is done before what is open, older before newer; those that stay
 * are the same objects. The ledger is not touched.
 */
export function fitDocument(document: SummaryDocument, { budgetTokens, estimator }: FitOptions): FittedDocument {
  const order = leavingOrder(document)
  const isFitting = (leaving: number): boolean =>
    estimateField(renderDocument(without(document, new Set(order.slice(0, leaving)))), estimator) <= budgetTokens
  if (isFitting(0)) return { document, leftOut: 0 }
  // The fewest that must leave: leaving more never makes the text longer, so halving finds it.
  let fits = order.length
  let fails = 0
  while (fits - fails > 1) {
    const middle = Math.floor((fits + fails) / 2)
    if (isFitting(middle)) fits = middle
    else fails = middle
  }
  return { document: without(document, new Set(order.slice(0, fits))), leftOut: fits }
}

function leavingOrder({ sections }: SummaryDocument): readonly SummaryItem[] {
  return sections
    .flatMap(({ items }) => items.map((item, index) => ({ item, age: items.length - index })))
    .toSorted((a, b) => Number(a.item.status === 'open') - Number(b.item.status === 'open') || b.age - a.age)
    .map(({ item }) => item)
}

function without(document: SummaryDocument, leaving: ReadonlySet<SummaryItem>): SummaryDocument {
  if (leaving.size === 0) return document
  const sections = document.sections
    .map((section) => ({ ...section, items: section.items.filter((item) => !leaving.has(item)) }))
    .filter(({ items }) => items.length > 0)
  return { ...document, sections }
}
