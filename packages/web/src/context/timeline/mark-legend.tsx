import { MARKS } from './marks.ts'
import type { PlacedMark } from './plan-timeline.ts'

export interface MarkLegendProps {
  readonly marks: readonly PlacedMark[]
  readonly hasThreshold: boolean
}

/** What the signs in the chart mean; only those that are there. */
export function MarkLegend({ marks, hasThreshold }: MarkLegendProps) {
  const shown = MARKS.filter(({ kind }) => marks.some((mark) => mark.kind === kind))
  if (shown.length === 0 && !hasThreshold) return null
  return (
    <ul aria-label="Signs in the chart" className="mt-2 space-y-0.5 text-xs text-muted">
      {hasThreshold && (
        <li className="flex gap-2">
          <span aria-hidden="true" className="w-4 shrink-0 self-center border-t-2 border-dashed border-ink" />
          <span>
            <span className="font-medium text-ink">Threshold</span>: past it, a compaction starts
          </span>
        </li>
      )}
      {shown.map(({ kind, name, symbol, colour, explanation }) => (
        <li key={kind} className="flex gap-2">
          <span aria-hidden="true" className="w-4 shrink-0 text-center" style={{ color: `var(${colour})` }}>
            {symbol}
          </span>
          <span>
            <span className="font-medium text-ink">
              {name} ({marks.filter((mark) => mark.kind === kind).length})
            </span>
            : {explanation}
          </span>
        </li>
      ))}
    </ul>
  )
}
