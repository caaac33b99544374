import { renderSummary } from '@longhaul/engine'
import type { SummaryDocument } from '@longhaul/engine'

const texts = new WeakMap<SummaryDocument, string>()

/** As a request would hold it. A document is read when it is written and again when the next one is made of it. */
export function summaryText(document: SummaryDocument): string {
  const known = texts.get(document) ?? renderSummary(document)
  texts.set(document, known)
  return known
}
