import { AGENTS } from './audit-report.ts'
import type { AgentTotals, AuditTotals, SessionAudit } from './audit-report.ts'

/** The sums over all sessions, and over those of each agent, in the order of `AGENTS`. */
export function createTotals(sessions: readonly SessionAudit[]): AuditTotals {
  const compactions = sessions.flatMap((session) => session.compactions)
  return {
    ...countSessions(sessions),
    compactions: compactions.length,
    facts: sum(compactions.map(({ facts }) => facts)),
    needed: sum(compactions.map(({ needed }) => needed)),
    lost: sum(compactions.map(({ lost }) => lost.length)),
    refetched: sum(compactions.map(({ refetched }) => refetched.length)),
    refetchedTokens: sumRefetched(sessions),
    ...sumCosts(sessions),
    byAgent: [...AGENTS, 'other' as const].flatMap((agent) => {
      const own = sessions.filter((session) => session.agent === agent)
      return own.length === 0 ? [] : [createAgentTotals(agent, own)]
    }),
  }
}

function createAgentTotals(agent: AgentTotals['agent'], sessions: readonly SessionAudit[]): AgentTotals {
  const compactions = sessions.flatMap((session) => session.compactions)
  return {
    agent,
    sessions: countSessions(sessions).sessions,
    compactions: compactions.length,
    needed: sum(compactions.map(({ needed }) => needed)),
    lost: sum(compactions.map(({ lost }) => lost.length)),
    refetchedTokens: sumRefetched(sessions),
    ...sumCosts(sessions),
    withLonghaul: sumEstimates(sessions),
  }
}

function countSessions(sessions: readonly SessionAudit[]): Pick<AuditTotals, 'sessions' | 'subAgents'> {
  const subAgents = sessions.filter(({ parentId }) => parentId !== null).length
  return { sessions: sessions.length - subAgents, subAgents }
}

function sumRefetched(sessions: readonly SessionAudit[]): number | null {
  return sumKnown(
    sessions.flatMap(({ compactions }) => compactions.flatMap((each) => each.refetched)).map((each) => each.tokens),
  )
}

function sumCosts(sessions: readonly SessionAudit[]): Pick<AuditTotals, 'costUsd' | 'unpriced'> {
  const costs = sessions.flatMap(({ compactions }) => compactions.map(({ costUsd }) => costUsd))
  return { costUsd: sumKnown(costs), unpriced: costs.filter((cost) => cost === null).length }
}

function sumEstimates(sessions: readonly SessionAudit[]): AgentTotals['withLonghaul'] {
  const estimates = sessions.filter(({ compactions }) => compactions.length > 0).map((session) => session.withLonghaul)
  if (estimates.length === 0 || estimates.includes(null)) return null
  return {
    lost: sum(estimates.map((estimate) => estimate?.lost ?? 0)),
    refetchedTokensAtMost: sumAll(estimates.map((estimate) => estimate?.refetchedTokensAtMost ?? null)),
    costUsd: sumAll(estimates.map((estimate) => estimate?.costUsd ?? null)),
  }
}

/** Null where any of them is not known. */
function sumAll(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : sumKnown(values)
}

/** The sum of what is known; null where there is something and none of it is known. */
function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return values.length > 0 && known.length === 0 ? null : sum(known)
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
