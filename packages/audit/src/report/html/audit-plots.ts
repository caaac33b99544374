import { findCure } from '../agent-cures.ts'
import type { AuditReport, SessionAudit } from '../audit-report.ts'
import type { AgentRow } from '../describe-audit.ts'
import { formatCount, formatUsd } from '../figures.ts'
import { drawBars } from './draw-bars.ts'
import type { Bar } from './draw-bars.ts'
import { drawWindow } from './draw-window.ts'
import { quote } from './markup.ts'

const MOST_SESSIONS = 6

/** The sessions with the most compactions, each with its window over time. */
export function drawWindows({ sessions }: AuditReport): string {
  const drawn = sessions
    .filter(({ compactions }) => compactions.length > 0)
    .toSorted((a, b) => b.compactions.length - a.compactions.length)
    .flatMap((session) => {
      const plot = drawWindow(session)
      return plot === '' ? [] : [`<section><h3>${nameSession(session)}</h3>${plot}</section>`]
    })
  if (drawn.length === 0) return ''
  const more = drawn.length - MOST_SESSIONS
  const about = `Each fall is a compaction: what was said before it is gone, but for a summary. Straight lines stand between the figures that are known.${
    more > 0
      ? ` ${formatCount(more, 'more session')} with fewer compactions ${more === 1 ? 'is' : 'are'} not drawn.`
      : ''
  }`
  return `<h2>Tokens in the window</h2><p>${about}</p>${drawn.slice(0, MOST_SESSIONS).join('')}`
}

/** By title, or by the agent alone where there is none or it must not be shown. */
export function nameSession({ title, id, agent, compactions }: SessionAudit): string {
  const name = title === null || title === '' ? `Session ${quote(id.slice(0, 8))}` : quote(title)
  return `${name} <small>(${findCure(agent).name}, ${formatCount(compactions.length, 'compaction')})</small>`
}

export function drawKinds({ sessions }: AuditReport): string {
  const compactions = sessions.flatMap((session) => session.compactions)
  const byKind = Map.groupBy(
    compactions.flatMap(({ lost }) => lost),
    ({ kind }) => kind,
  )
  if (byKind.size === 0) return ''
  const bars: Bar[] = [...byKind]
    .map(([kind, lost]) => ({ kind, count: lost.length }))
    .toSorted((a, b) => b.count - a.count)
    .map(({ kind, count }) => ({
      label: kind,
      words: `${count} lost`,
      parts: [{ value: count, color: 'var(--lost)', title: `${kind}: ${count} lost` }],
    }))
  return `<h2>Lost facts by kind</h2><p>What was said before a compaction, used again after it, and neither in the summary nor in what was kept.</p><section>${drawBars(bars)}</section>`
}

/** Two bars an agent: what its compactions cost, and what those of Longhaul would have. */
export function drawCosts({ sessions }: AuditReport, rows: readonly AgentRow[]): string {
  const bars = rows.flatMap((row): readonly Bar[] => {
    if (row.costUsd === null) return []
    const costs = sessions
      .filter(({ agent }) => agent === row.agent)
      .flatMap(({ compactions }) => compactions.filter(({ costUsd }) => costUsd !== null))
    const summaries = costs.reduce((sum, { cost }) => sum + (cost.summaryUsd ?? 0), 0)
    const again = costs.reduce((sum, { cost }) => sum + (cost.refetchUsd ?? 0), 0)
    const withLonghaul = row.withLonghaul?.costUsd ?? null
    return [
      {
        label: row.cure.name,
        words: formatUsd(row.costUsd, row.unpriced),
        parts: [
          { value: summaries, color: 'var(--before)', title: `summaries: ${formatUsd(summaries)}` },
          { value: again, color: 'var(--again)', title: `fetched again: ${formatUsd(again)}` },
        ],
      },
      ...(withLonghaul === null
        ? []
        : [
            {
              label: `${row.cure.name} with Longhaul`,
              words: formatUsd(withLonghaul),
              parts: [{ value: withLonghaul, color: 'var(--with)', title: formatUsd(withLonghaul) }],
            },
          ]),
    ]
  })
  if (bars.length === 0) return ''
  const key = ['before', 'summaries', 'again', 'fetched again', 'with', 'Longhaul, by replay']
  const swatches = [0, 2, 4].map(
    (place) => `<span><i class="swatch" style="background:var(--${key[place]})"></i>${key[place + 1]}</span>`,
  )
  return `<h2>What compactions cost</h2><p>At list prices, with the cache figures of the session where it has them.</p><section><p class="key">${swatches.join('')}</p>${drawBars(bars)}</section>`
}
