import type { AuditSession, AuditStatus } from '@longhaul/protocol'
import type { AuditFinding, AuditState, SessionAudit } from '@longhaul/runtime'

const MOST_SESSIONS = 200
const MOST_PROBLEMS = 100

type Overview = NonNullable<AuditStatus['overview']>

/** An audit as the API tells it: the sums, the worst, and which sessions can be asked for. */
export function presentAudit({ finding, ...state }: AuditState): AuditStatus {
  return { ...state, overview: finding === null ? null : presentFinding(finding) }
}

/** null: no session of the last audit has this number. */
export function presentAuditedSession(finding: AuditFinding, number: number): AuditSession | null {
  const session = finding.report.sessions[number - 1]
  if (session === undefined) return null
  const compactions = session.compactions.map(({ lost, refetched, ...each }) => ({
    ...each,
    lost: [...lost],
    refetched: [...refetched],
  }))
  return { ...presentHead(finding, session, number), compactions }
}

function presentFinding(finding: AuditFinding): Overview {
  const { report, words, heads } = finding
  const { sessions, totals, problems } = report
  const compacted = sessions
    .map((session, place) => ({ ...presentHead(finding, session, place + 1), ...presentSums(finding, place) }))
    .filter(({ compactions }) => compactions > 0)
    .toSorted((a, b) => b.lost - a.lost || b.compactions - a.compactions)
  return {
    headline: words.headline,
    advice: words.advice,
    notes: [...words.notes],
    totals,
    agents: words.rows.map(({ cure, ...row }) => ({ ...row, name: cure.name, cure: cure.sentence })),
    worst: words.worst.map(({ fact, session, times }) => ({
      ...fact,
      times,
      session: session + 1,
      title: sessions[session]?.title ?? null,
      agentName: heads[session]?.agentName ?? '',
    })),
    sessions: compacted.slice(0, MOST_SESSIONS),
    moreSessions: Math.max(0, compacted.length - MOST_SESSIONS),
    problems: problems.slice(0, MOST_PROBLEMS),
  }
}

function presentSums({ heads }: AuditFinding, place: number) {
  const { compactions = 0, needed = 0, lost = 0, refetchedTokens = null, costUsd = null } = heads[place]?.totals ?? {}
  return { compactions, needed, lost, refetchedTokens, costUsd }
}

function presentHead(
  { heads }: AuditFinding,
  session: SessionAudit,
  number: number,
): Omit<AuditSession, 'compactions'> {
  const { id, agent, title, path, startedAt, messages, model, windowTokens } = session
  const agentName = heads[number - 1]?.agentName ?? ''
  return { number, id, agent, agentName, title, path, startedAt, messages, model, windowTokens }
}
