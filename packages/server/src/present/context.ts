import type { ContextItem as PresentedItem, ContextReport as PresentedReport } from '@longhaul/protocol'
import type { ContextItem, ContextReport } from '@longhaul/runtime'

export function presentContext(report: ContextReport): PresentedReport {
  return { ...report, items: report.items.map(presentContextItem) }
}

export function presentContextItem({ id, kind, label, tokens, chars, state }: ContextItem): PresentedItem {
  return { id, kind, label, tokens, chars, state }
}
