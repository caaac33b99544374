import { findCure } from './agent-cures.ts'
import type { AgentCure } from './agent-cures.ts'
import type { AgentTotals, AuditReport } from './audit-report.ts'
import { formatCount, formatTokens, formatUsd } from './figures.ts'
import { findWorstLosses } from './find-worst-losses.ts'
import type { WorstLoss } from './find-worst-losses.ts'

/** The result of an audit in words; the terminal, the page and the web app show the same ones. */
export interface AuditWords {
  /** Whole sentences that a stranger understands. */
  readonly headline: string
  /** The advice to the user if the audit found no compaction; null if it found one. */
  readonly advice: string | null
  /** Agents with compactions. */
  readonly rows: readonly AgentRow[]
  readonly worst: readonly WorstLoss[]
  /** Sentences that name what the figures leave out and which figures are bounds. */
  readonly notes: readonly string[]
}

export interface AgentRow extends AgentTotals {
  readonly cure: AgentCure
}

export interface DescribeOptions {
  /** The paths that the user named; if there are none, the audit looked in the usual places. */
  readonly paths?: readonly string[]
  /** Older sessions were left out: as the user said it, such as `30d`. */
  readonly since?: string | null
  readonly worst?: number
}

const WORST = 5

export function describeAudit(report: AuditReport, options: DescribeOptions = {}): AuditWords {
  const { sessions, totals } = report
  const rows = totals.byAgent
    .filter(({ compactions }) => compactions > 0)
    .map((agent) => ({ ...agent, cure: findCure(agent.agent) }))
  const notes = describeGaps(report)
  if (sessions.length === 0) return { ...describeNothing(report, options), rows, worst: [], notes: [] }
  if (rows.length === 0) return { ...describeWhole(report), rows, worst: [], notes }
  return {
    headline: describeLosses(report, rows),
    advice: null,
    rows,
    worst: findWorstLosses(sessions, options.worst ?? WORST),
    notes,
  }
}

function describeNothing(
  { problems }: AuditReport,
  { paths = [], since = null }: DescribeOptions,
): Pick<AuditWords, 'headline' | 'advice'> {
  const files = new Set(problems.map(({ path }) => path)).size
  if (files > 0)
    return {
      headline:
        files === 1
          ? 'One file was found, and it could not be read as a session.'
          : `${formatCount(files, 'file')} were found, and none of them could be read as a session.`,
      advice: `${files === 1 ? 'It' : 'Each'} is named with the reason. Give the files that an agent writes itself: longhaul audit ~/.claude/projects, for one.`,
    }
  const time = since === null ? '' : ` of the last ${since}`
  if (paths.length > 0)
    return {
      headline: `There is no session${time} in ${paths.join(', ')}.`,
      advice: `Name a session file or a folder of them${since === null ? '' : ', or leave --since out'}. Without a path, Longhaul looks where agents keep theirs.`,
    }
  return {
    headline: `No session${time} of a coding agent was found on this machine.`,
    advice: `Longhaul looked where Claude Code, Codex, OpenClaw, pi, Gemini CLI and opencode keep theirs${
      since === null ? '' : '; leave --since out to see older ones'
    }. If yours lie elsewhere, name the folder: longhaul audit PATH.`,
  }
}

function describeWhole({ totals }: AuditReport): Pick<AuditWords, 'headline' | 'advice'> {
  return {
    headline: `${formatCount(totals.sessions, 'session')} of ${listAgents(totals.byAgent)} ${
      totals.sessions === 1 ? 'was' : 'were'
    } read. None was ever compacted, so nothing was forgotten.`,
    advice:
      'An agent compacts when a session fills its window: it puts a summary in the place of older messages. Come back after a long one, or see what a smaller window would do: longhaul replay PATH --window 32k.',
  }
}

function describeLosses({ totals }: AuditReport, rows: readonly AgentRow[]): string {
  const { sessions, compactions, needed, lost, refetched, refetchedTokens, costUsd, unpriced } = totals
  const lines = [
    `In ${formatCount(sessions, 'session')}, ${listAgents(rows)} compacted ${formatTimes(compactions)}: a summary took the place of older messages.`,
    describeNeeded(needed, lost),
  ]
  if (refetched > 0)
    lines.push(
      refetchedTokens === null
        ? `${formatCount(refetched, 'file or output', 'files and outputs')} that had been in view ${refetched === 1 ? 'was' : 'were'} fetched again.`
        : `${formatTokens(refetchedTokens)} tokens of files and outputs that had been in view were fetched again.`,
    )
  if (costUsd !== null)
    lines.push(`Summaries and fetching again cost ${unpriced === 0 ? '' : 'at least '}${formatUsd(costUsd)}.`)
  return lines.join(' ')
}

function describeNeeded(needed: number, lost: number): string {
  if (needed === 0) return 'Nothing from before was needed again.'
  const facts = `${formatCount(needed, 'fact')} from before ${needed === 1 ? 'was' : 'were'} needed again`
  if (lost === 0) return `${facts}, and none was lost.`
  if (needed === 1) return `${facts}, and it was lost.`
  return `${facts}; ${lost === needed ? 'all of them were lost' : formatCount(lost, 'of them was lost', 'of them were lost')}.`
}

function describeGaps({ totals, problems }: AuditReport): readonly string[] {
  const files = new Set(problems.map(({ path }) => path)).size
  return [
    ...(totals.unpriced > 0
      ? [`${formatCount(totals.unpriced, 'compaction has', 'compactions have')} no known price.`]
      : []),
    ...(files > 0 ? [`${formatCount(files, 'file')} could not be read, or only in part.`] : []),
  ]
}

const MOST_NAMED = 3

/** Claude Code, Codex and pi; more of them are counted. */
function listAgents(agents: readonly Pick<AgentTotals, 'agent'>[]): string {
  if (agents.length > MOST_NAMED) return formatCount(agents.length, 'agent')
  const names = agents.map(({ agent }) => (agent === 'other' ? 'other programs' : findCure(agent).name))
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)
}

function formatTimes(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : formatCount(count, 'time')
}
