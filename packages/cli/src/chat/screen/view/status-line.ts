import type { SessionStatus } from '@longhaul/runtime'
import { renderGauge } from '../../../cards/gauge.ts'
import { formatCost, formatCount } from '../../../terminal/format.ts'
import type { Paint } from '../../../terminal/paint.ts'
import { fitText, textWidth } from '../../../terminal/text-width.ts'

/** Model, gauge with its source, compactions, cost; what there is no room for is left out from the end. */
export function renderStatusLine(status: SessionStatus | null, width: number, paint: Paint): string {
  if (status === null) return ''
  const { model, tokens, compactionCount, costUsd, unpricedCalls } = status
  const rest = [formatCount(compactionCount, 'compaction'), formatCost(costUsd, unpricedCalls)]
  const forms = [
    [model, renderGauge(tokens, paint), ...rest],
    [model, renderGauge(tokens, paint, 0), ...rest],
    [renderGauge(tokens, paint, 0), ...rest],
    [renderGauge(tokens, paint, 0)],
  ].map((parts) => parts.join(paint.dim(' · ')))
  return fitText(forms.find((form) => textWidth(form) <= width) ?? forms.at(-1) ?? '', width)
}
