import type { ReactNode } from 'react'
import { formatCount } from '../ui/text/format.ts'
import { AgentTable } from './agent-table.tsx'
import { showNumber, showTokens, showUsd } from './known.ts'
import { LossList } from './loss-list.tsx'
import type { Overview } from './overview.ts'
import { ProblemList } from './problem-list.tsx'
import { SavePage } from './save-page.tsx'
import { SessionItem } from './session-item.tsx'

/** All that was found, from the sums down to single sessions. */
export function AuditFindings({ overview }: { readonly overview: Overview }) {
  const { headline, advice, notes, totals, agents, worst, sessions, moreSessions, problems } = overview
  return (
    <div className="space-y-8">
      <p className="max-w-prose text-lg leading-relaxed">{headline}</p>
      {advice !== null && <p className="max-w-prose text-sm text-muted">{advice}</p>}
      {advice === null && (
        <>
          <Figures totals={totals} />
          <SavePage />
          <Part title="By agent">
            <AgentTable agents={agents} />
          </Part>
          {worst.length > 0 && (
            <Part title="The worst losses">
              <LossList losses={worst} />
            </Part>
          )}
          <Part title="Sessions with compactions">
            <ul className="space-y-2">
              {sessions.map((session) => (
                <SessionItem key={session.number} session={session} />
              ))}
            </ul>
            {moreSessions > 0 && (
              <p className="mt-2 text-xs text-muted">
                {formatCount(moreSessions, 'more session')} with fewer losses: longhaul audit --json has all of them.
              </p>
            )}
          </Part>
        </>
      )}
      {notes.length > 0 && <p className="text-xs text-muted">{notes.join(' ')}</p>}
      {problems.length > 0 && <ProblemList problems={problems} />}
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-3 text-base font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Figures({ totals }: Pick<Overview, 'totals'>) {
  const { compactions, needed, lost, refetchedTokens, costUsd, unpriced } = totals
  const figures = [
    ['Compactions', showNumber(compactions)],
    ['Facts needed again', showNumber(needed)],
    ['Of them lost', showNumber(lost)],
    ['Tokens fetched again', showTokens(refetchedTokens)],
    ['Cost', `${costUsd !== null && unpriced > 0 ? '≥ ' : ''}${showUsd(costUsd)}`],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-5">
      {figures.map(([name, value]) => (
        <div key={name} className="rounded-2xl border border-line bg-surface px-4 py-3">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
