import type { Compaction } from '@longhaul/protocol'
import { formatNumber, formatShare } from '../../ui/text/format.ts'

/** Before and after, in words and as two lengths. */
export function ShrinkBar({
  compaction: { tokensBefore, tokensAfter },
}: {
  readonly compaction: Pick<Compaction, 'tokensBefore' | 'tokensAfter'>
}) {
  const share = tokensBefore <= 0 ? 1 : Math.min(1, tokensAfter / tokensBefore)
  return (
    <div className="mt-2">
      <p className="text-[0.8125rem] tabular-nums">
        {formatNumber(tokensBefore)} <span aria-hidden="true">→</span>
        <span className="sr-only">tokens became</span> {formatNumber(tokensAfter)} tokens{' '}
        <span className="font-medium text-success">{formatShare(1 - share)} smaller</span>
      </p>
      <div aria-hidden="true" className="mt-1.5 h-2 overflow-hidden rounded-full bg-line">
        <div className="h-full rounded-full bg-kind-summary" style={{ width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
