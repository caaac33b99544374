import { Tooltip } from '../ui/tooltip.tsx'
import { GaugeBar } from './gauge-bar.tsx'
import type { GaugeReading } from './read-gauge.ts'

export interface ContextGaugeProps {
  readonly reading: GaugeReading
  readonly onOpen: () => void
}

/** How full the context is, small enough for a header; opens the panel that shows all of it. */
export function ContextGauge({ reading, onOpen }: ContextGaugeProps) {
  return (
    <Tooltip text={`Context: ${reading.amount} (${reading.source}). ${reading.forecast}`} side="bottom">
      <button
        type="button"
        onClick={onOpen}
        aria-label={`Context ${reading.percent}: ${reading.amount}, ${reading.source}. ${reading.forecast}`}
        className="flex h-9 items-center gap-2 rounded-lg px-2 sm:px-2.5 text-[0.8125rem] text-muted transition-colors hover:bg-hover hover:text-ink"
      >
        <span className="w-20 max-sm:hidden">
          <GaugeBar reading={reading} />
        </span>
        <span className="font-medium tabular-nums">{reading.percent}</span>
      </button>
    </Tooltip>
  )
}
