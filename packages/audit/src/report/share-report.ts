import type { AuditReport, CompactionAudit, Place, SessionAudit } from './audit-report.ts'

/** The report without any text of the sessions: no titles, paths, facts, excerpts or models. Only counts, kinds and agents stay. */
export function shareReport({ sessions, totals, problems }: AuditReport): AuditReport {
  const ids = new Map(sessions.map(({ id }, place) => [id, String(place + 1)]))
  return {
    sessions: sessions.map((session, place) => shareSession(session, place, ids)),
    totals,
    problems: shareProblems(problems),
  }
}

/** As many files as before, without their names. */
function shareProblems(problems: AuditReport['problems']): AuditReport['problems'] {
  const files = [...new Set(problems.map(({ path }) => path))]
  return problems.map(({ path }) => ({ path: String(files.indexOf(path) + 1), line: null, reason: '' }))
}

function shareSession(session: SessionAudit, place: number, ids: ReadonlyMap<string, string>): SessionAudit {
  const { parentId, agent, startedAt, messages, windowTokens, windowSource, withLonghaul } = session
  return {
    id: String(place + 1),
    parentId: parentId === null ? null : (ids.get(parentId) ?? '0'),
    agent,
    path: '',
    title: null,
    startedAt,
    messages,
    model: null,
    windowTokens,
    windowSource,
    compactions: session.compactions.map(shareCompaction),
    withLonghaul,
  }
}

/** An agent's own word for a trigger could be anything in a file that somebody else wrote. */
const TRIGGERS: ReadonlySet<string> = new Set(['auto', 'automatic', 'manual'])

function shareCompaction(compaction: CompactionAudit): CompactionAudit {
  const { at, trigger, tokensBefore, tokensAfter, tokensSource, facts, factsByKind } = compaction
  const { told, needed, lost, refetched, costUsd, cost } = compaction
  return {
    at,
    tokensBefore,
    tokensAfter,
    tokensSource,
    facts,
    factsByKind,
    told,
    needed,
    costUsd,
    cost,
    trigger: trigger !== null && TRIGGERS.has(trigger) ? trigger : null,
    lost: lost.map(({ kind, saidAt, neededAt }) => ({
      kind,
      text: '',
      saidAt: sharePlace(saidAt),
      neededAt: sharePlace(neededAt),
    })),
    refetched: refetched.map((each) => ({
      path: null,
      command: null,
      tokens: each.tokens,
      tokensSource: each.tokensSource,
      at: sharePlace(each.at),
    })),
  }
}

function sharePlace({ message, at, by }: Place): Place {
  return { entryId: '', message, at, by, excerpt: '' }
}
