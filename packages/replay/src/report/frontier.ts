import { shareOf } from '../retention/tally.ts'
import type { PolicySummary } from './policy-summary.ts'

/** A policy as a point: what it cost, and what of that which was referred back to it still showed. */
export interface FrontierPoint {
  readonly name: string
  readonly costUsd: number
  /** Percent. */
  readonly keptShare: number
  /** Policies that are cheaper and keep more. None: it stands on the frontier. */
  readonly beatenBy: readonly string[]
}

/** Without policies whose price is unknown, and without those whose requests a provider would have refused. */
export function findFrontier(summaries: readonly PolicySummary[]): readonly FrontierPoint[] {
  const points = summaries.flatMap(({ policy, totals, all }) => {
    const keptShare = shareOf(all.referredInContext)
    if (totals.costUsd === null || keptShare === null || totals.overWindow > 0) return []
    return [{ name: policy.name, costUsd: totals.costUsd, keptShare }]
  })
  return points.map((point) => ({
    ...point,
    beatenBy: points
      .filter(({ costUsd, keptShare }) => costUsd < point.costUsd && keptShare > point.keptShare)
      .map(({ name }) => name),
  }))
}

/** What replay is to show of the default: no peer is both cheaper and keeps more. `isHeld` null: it could not be measured. */
export function checkFrontier(ours: string, summaries: readonly PolicySummary[]) {
  const name = `${ours} stands on the frontier: no peer is both cheaper and keeps more`
  const peers = new Set(summaries.filter(({ policy }) => policy.kind === 'peer').map(({ policy }) => policy.name))
  const points = findFrontier(summaries)
  const point = points.find((candidate) => candidate.name === ours)
  if (point === undefined || peers.size === 0) return { name, isHeld: null, measured: 'nothing to compare' }
  const better = points.filter((other) => peers.has(other.name) && point.beatenBy.includes(other.name))
  const tell = ({ name: who, costUsd, keptShare }: FrontierPoint): string =>
    `${who} $${costUsd.toFixed(2)} and ${keptShare.toFixed(1)} %`
  const measured = [tell(point), ...(better.length === 0 ? [] : [`beaten by ${better.map(tell).join(', ')}`])].join(
    '; ',
  )
  return { name, isHeld: better.length === 0, measured }
}
