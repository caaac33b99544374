import { isRecord, isStringList } from './json.ts'
import { FACT_KINDS } from './summary-document.ts'
import type { LedgerFact, SummaryBudgets, SummaryDocument, SummaryItem, SummarySection } from './summary-document.ts'

/** The document if it is one, repaired where an item lacks its lists; null if nothing in it can be read. */
export function readSummaryDocument(value: unknown): SummaryDocument | null {
  if (!isRecord(value) || !Array.isArray(value['sections'])) return null
  const { version, sections, ledger, budgets } = value
  const isLedger = ledger === undefined || (Array.isArray(ledger) && ledger.every(isFact))
  const isValid =
    version === 1 && isLedger && (budgets === undefined || isBudgets(budgets)) && sections.every(isSection)
  if (isValid) return value as unknown as SummaryDocument
  return {
    version: 1,
    sections: sections.filter(isRecord).map(repairSection),
    ...(Array.isArray(ledger) ? { ledger: ledger.filter(isFact) } : {}),
    ...(isBudgets(budgets) ? { budgets } : {}),
  }
}

function isBudgets(value: unknown): value is SummaryBudgets {
  return (
    isRecord(value) &&
    typeof value['documentTokens'] === 'number' &&
    typeof value['ledgerTokens'] === 'number' &&
    (value['estimator'] === 'plain' || value['estimator'] === 'classes')
  )
}

function repairSection({ title, items }: Readonly<Record<string, unknown>>, place: number): SummarySection {
  return {
    title: typeof title === 'string' ? title : '',
    items: Array.isArray(items)
      ? items.flatMap((item, index) => repairItem(item, `item-${place + 1}-${index + 1}`))
      : [],
  }
}

function isSection(value: unknown): value is SummarySection {
  return (
    isRecord(value) &&
    typeof value['title'] === 'string' &&
    Array.isArray(value['items']) &&
    value['items'].every(isItem)
  )
}

function isItem(value: unknown): value is SummaryItem {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['text'] === 'string' &&
    isStringList(value['sources']) &&
    (value['status'] === 'open' || value['status'] === 'done')
  )
}

function repairItem(value: unknown, newId: string): SummaryItem[] {
  if (isItem(value)) return [value]
  if (!isRecord(value) || typeof value['text'] !== 'string') return []
  const { id, text, sources, status } = value
  return [
    {
      id: typeof id === 'string' ? id : newId,
      text,
      sources: Array.isArray(sources) ? sources.filter((source) => typeof source === 'string') : [],
      status: status === 'done' ? 'done' : 'open',
    },
  ]
}

function isFact(value: unknown): value is LedgerFact {
  return (
    isRecord(value) &&
    FACT_KINDS.some((kind) => kind === value['kind']) &&
    typeof value['text'] === 'string' &&
    (value['note'] === undefined || typeof value['note'] === 'string') &&
    (value['by'] === 'user' || value['by'] === 'assistant' || value['by'] === 'tool') &&
    isStringList(value['sources']) &&
    typeof value['count'] === 'number' &&
    typeof value['lastSeq'] === 'number'
  )
}
