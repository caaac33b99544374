/** Programs whose sessions are found by themselves. */
export const AGENTS = ['claude-code', 'codex', 'openclaw', 'pi', 'gemini-cli', 'opencode'] as const
export type AgentName = (typeof AGENTS)[number]

/** What an audit found, as `longhaul audit --json` prints it. */
export interface AuditReport {
  readonly sessions: readonly SessionAudit[]
  readonly totals: AuditTotals
  /** Files and sessions that could not be read, or only in part. */
  readonly problems: readonly AuditProblem[]
}

export interface AuditProblem {
  readonly path: string
  readonly line: number | null
  readonly reason: string
}

export interface SessionAudit {
  readonly id: string
  /** The session that sent this sub-agent; null for one that a person talked to. */
  readonly parentId: string | null
  readonly agent: AgentName | 'other'
  readonly path: string
  readonly title: string | null
  readonly startedAt: number | null
  readonly messages: number
  readonly model: string | null
  readonly windowTokens: number | null
  /** By the session itself, by our table of models, or by the user. */
  readonly windowSource: 'recorded' | 'registry' | 'told' | null
  readonly compactions: readonly CompactionAudit[]
  /** Replay of the same session with the preset `longhaul`; null where nothing was compacted. */
  readonly withLonghaul: LonghaulEstimate | null
}

export interface CompactionAudit {
  /** Milliseconds since 1970, UTC. */
  readonly at: number | null
  readonly trigger: string | null
  readonly tokensBefore: number | null
  readonly tokensAfter: number | null
  /** Whether the agent wrote the two figures down, or they were measured here. */
  readonly tokensSource: 'recorded' | 'measured'
  /** How many facts stood in what was compacted. */
  readonly facts: number
  readonly factsByKind: Readonly<Record<string, number>>
  /** How many of them the summary, or what was kept beside it, still has. */
  readonly told: number
  /** How many of them somebody used again afterwards. */
  readonly needed: number
  /** Needed, and neither in the summary nor in what was kept. */
  readonly lost: readonly LostFact[]
  readonly refetched: readonly Refetch[]
  /** The call that wrote the summary, and what was fetched again; null when the price is not known. */
  readonly costUsd: number | null
  readonly cost: { readonly summaryUsd: number | null; readonly refetchUsd: number | null }
}

export interface LostFact {
  readonly kind: string
  readonly text: string
  readonly saidAt: Place
  readonly neededAt: Place
}

/** A message of a session, for people and for links. */
export interface Place {
  readonly entryId: string
  /** The message's number in the session, from 1. */
  readonly message: number
  readonly at: number | null
  readonly by: 'user' | 'assistant' | 'tool'
  /** The words around it, on one line. */
  readonly excerpt: string
}

/** Content that had been in the window, fetched once more. */
export interface Refetch {
  readonly path: string | null
  readonly command: string | null
  readonly tokens: number | null
  readonly tokensSource: 'recorded' | 'measured'
  readonly at: Place
}

export interface LonghaulEstimate {
  readonly lost: number
  /** A bound: what was fetched again and no longer stood word for word in the window that Longhaul would have sent. */
  readonly refetchedTokensAtMost: number | null
  readonly compactions: number
  /** As for the agent: its summaries and what was fetched again, not the conversation itself. */
  readonly costUsd: number | null
}

export interface AuditTotals {
  /** The number of sessions that a person talked to, without sub-agents. */
  readonly sessions: number
  readonly subAgents: number
  readonly compactions: number
  readonly facts: number
  readonly needed: number
  readonly lost: number
  readonly refetched: number
  readonly refetchedTokens: number | null
  /** Of what has a price. */
  readonly costUsd: number | null
  /** Compactions without a known price. */
  readonly unpriced: number
  readonly byAgent: readonly AgentTotals[]
}

export interface AgentTotals {
  readonly agent: AgentName | 'other'
  /** The number of sessions that a person talked to, without sub-agents. */
  readonly sessions: number
  readonly compactions: number
  readonly needed: number
  readonly lost: number
  readonly refetchedTokens: number | null
  /** The sum over the compactions whose price is known. */
  readonly costUsd: number | null
  /** Compactions without a known price. */
  readonly unpriced: number
  /** Null unless every compacted session of the agent was replayed: a part would make Longhaul look better than it is. */
  readonly withLonghaul: {
    readonly lost: number
    readonly refetchedTokensAtMost: number | null
    readonly costUsd: number | null
  } | null
}
