import type { SummaryDocument } from '../transcript/summary-document.ts'
import { fitDocument } from './fit-document.ts'
import { renderDocument } from './render-document.ts'
import { renderLedger } from './ledger/render-ledger.ts'

/** Everything that a model wrote stands under this heading; the others are the ledger's, where only code writes. */
const NOTES_TITLE = '## Notes by the summarizer'

/** A document is shown in every view, measured, scored and read again by the next compaction; it never changes. */
const rendered = new WeakMap<SummaryDocument, string>()

/** What a request shows of a summary: the document, then the ledger with what the document does not say. Deterministic. */
export function renderSummary(document: SummaryDocument): string {
  const text = rendered.get(document) ?? render(document)
  rendered.set(document, text)
  return text
}

function render(document: SummaryDocument): string {
  if (document.budgets === undefined) return renderDocument(document)
  const { documentTokens, ledgerTokens, estimator } = document.budgets
  const fitted = fitDocument(document, { budgetTokens: documentTokens, estimator })
  const notes = renderDocument(fitted.document)
  const prose = notes === '' ? '' : `${NOTES_TITLE}\n${notes}`
  const notice =
    fitted.leftOut === 0
      ? ''
      : `${fitted.leftOut} older ${fitted.leftOut === 1 ? 'point is' : 'points are'} not shown here; recall finds them.`
  const ledger = renderLedger(document.ledger ?? [], { budgetTokens: ledgerTokens, estimator, besides: prose })
  return [prose, notice, ledger.text].filter((text) => text !== '').join('\n\n')
}
