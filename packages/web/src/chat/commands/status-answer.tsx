import type { SessionStatus } from '@longhaul/protocol'
import { formatCost, formatNumber } from '../../ui/text/format.ts'
import { Facts } from './facts.tsx'

export function StatusAnswer({ status }: { readonly status: SessionStatus }) {
  const { tokens, model, preset, compactionCount, costUsd, unpricedCalls, messageCount, pins, turnsLeft, warnings } =
    status
  return (
    <Facts
      facts={[
        ['Context', describeContext(tokens)],
        ['Model', model],
        ['Preset', preset ?? 'none'],
        ['Messages', formatNumber(messageCount)],
        ['Compactions', formatNumber(compactionCount)],
        ['Pins', formatNumber(pins)],
        ['Cost', formatCost(costUsd, unpricedCalls)],
        ...(turnsLeft === null
          ? []
          : [
              ['Next compaction', turnsLeft === 0 ? 'due' : `in about ${formatNumber(turnsLeft)} turns`] as [
                string,
                string,
              ],
            ]),
        ...warnings.map((warning): [string, string] => ['Warning', warning]),
      ]}
    />
  )
}

function describeContext({ context, window, percent, source }: SessionStatus['tokens']): string {
  if (context === null) return 'not measured yet'
  const size = window === null ? 'of an unknown window' : `of ${formatNumber(window)}`
  const share = percent === null ? '' : ` (${Math.round(percent)} %)`
  return `${formatNumber(context)} ${size} tokens${share}, ${source}`
}
