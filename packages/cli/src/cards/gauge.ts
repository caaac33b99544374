import type { SessionStatus } from '@longhaul/runtime'
import { formatShort } from '../terminal/format.ts'
import type { Paint } from '../terminal/paint.ts'

type Tokens = Pick<SessionStatus['tokens'], 'context' | 'window' | 'percent' | 'source' | 'threshold'>

/** How full the context is and how that is known, in one piece: `███░░░░░░░ 31% of 200k (reported)`. */
export function renderGauge({ context, window, percent, source, threshold }: Tokens, paint: Paint, cells = 10): string {
  if (context === null) return 'context unknown'
  if (window === null || percent === null) return `${formatShort(context)} tokens of an unknown window (${source})`
  const filled = Math.min(cells, Math.max(context > 0 ? 1 : 0, Math.round((percent / 100) * cells)))
  const colour = chooseColour(context, threshold ?? window, paint)
  const bar = cells === 0 ? '' : `${colour('█'.repeat(filled))}${paint.dim('░'.repeat(cells - filled))} `
  return `${bar}${Math.round(percent)}% of ${formatShort(window)} (${source})`
}

/** By how near the next compaction is. */
function chooseColour(context: number, threshold: number, paint: Paint): (text: string) => string {
  const share = context / threshold
  return share < 0.6 ? paint.green : share < 0.9 ? paint.yellow : paint.red
}
