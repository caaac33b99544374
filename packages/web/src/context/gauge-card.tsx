import { GaugeBar } from './gauge-bar.tsx'
import type { GaugeReading } from './read-gauge.ts'

/** The gauge with all its words: how much, of how much, who says so, and when the next compaction comes. */
export function GaugeCard({ reading }: { readonly reading: GaugeReading }) {
  return (
    <section aria-label="How full the context is" className="px-4 pt-3 pb-4">
      <p className="flex items-center gap-3">
        <span className="text-2xl font-semibold tracking-tight whitespace-nowrap tabular-nums">{reading.percent}</span>
        <span className="text-xs leading-4 text-muted">
          <span className="block text-[0.8125rem] leading-5 text-ink">{reading.amount}</span>
          {reading.source}
        </span>
      </p>
      <div className="mt-2">
        <GaugeBar reading={reading} isTall />
      </div>
      <p className="mt-2.5 text-[0.8125rem] text-muted">{reading.forecast}</p>
    </section>
  )
}
