import type { AuditReport, AuditTotals, AuditWords } from '@longhaul/audit'
import type { Variables } from '../config/environment-names.ts'

/** Where agents keep their sessions. */
export interface AuditPlaces {
  /** The user's own folder. */
  readonly home: string
  /** Variables by which agents were told to keep them elsewhere. */
  readonly environment: Variables
}

/** The result of an audit, without secrets; the home folder is written `~`. */
export interface AuditFinding {
  readonly report: AuditReport
  readonly words: AuditWords
  /** The agent's name and the totals of each session, in the order of the report. */
  readonly heads: readonly { readonly agentName: string; readonly totals: AuditTotals }[]
}

export interface AuditState {
  readonly state: 'none' | 'running' | 'done' | 'failed'
  /** How much has been read, from 0 to 1. */
  readonly share: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly error: string | null
  /** The last one that came to its end, also while the next is under way. */
  readonly finding: AuditFinding | null
}

/** One audit at a time, in the background. */
export interface AuditDesk {
  read(): AuditState
  /** Begins one, unless one is under way. `since`: milliseconds since 1970; null reads all. */
  start(wishes: { readonly since: number | null }): void
  /** Creates a page in one file; `isShared` leaves out all texts of the sessions. Null if no audit has a result yet. */
  createPage(wishes: { readonly isShared: boolean }): Promise<string | null>
  /** Ends the one under way; what was found before it stays. */
  stop(): void
  close(): Promise<void>
}

const WORST = 20

export function createAuditDesk(places: AuditPlaces, { now }: { readonly now: () => number }): AuditDesk {
  let state: AuditState = { state: 'none', share: 0, startedAt: null, endedAt: null, error: null, finding: null }
  let running: { readonly stopping: AbortController; readonly ended: Promise<void> } | null = null

  async function run(since: number | null, signal: AbortSignal): Promise<void> {
    const before = state
    state = { ...state, state: 'running', share: 0, startedAt: now(), endedAt: null, error: null }
    try {
      const onProgress = (share: number): void => void (state = { ...state, share })
      const finding = await find(places, { since, signal, onProgress })
      state = { ...state, state: 'done', share: 1, endedAt: now(), finding }
    } catch (error) {
      if (signal.aborted) state = before
      else state = { ...state, state: 'failed', endedAt: now(), error: describe(error) }
    } finally {
      running = null
    }
  }

  return {
    read: () => state,
    start({ since }) {
      if (running !== null) return
      const stopping = new AbortController()
      const ended = run(since, stopping.signal)
      running = { stopping, ended }
    },
    async createPage({ isShared }) {
      const { finding } = state
      if (finding === null) return null
      const { createAuditPage, shareReport } = await import('@longhaul/audit')
      const report = isShared ? shareReport(finding.report) : finding.report
      return createAuditPage(report, { home: places.home, now: state.endedAt ?? now() })
    },
    stop: () => running?.stopping.abort(),
    async close() {
      running?.stopping.abort()
      await running?.ended
    },
  }
}

interface Search {
  readonly since: number | null
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}

/** Loaded only here: most servers are never asked. */
async function find({ home, environment }: AuditPlaces, search: Search): Promise<AuditFinding> {
  const { cleanReport, createTotals, describeAudit, findCure, runAudit } = await import('@longhaul/audit')
  const found = await runAudit({ home, env: environment, paths: [], windowTokens: null, ...search })
  const report = cleanReport(found, home)
  const heads = report.sessions.map((session) => ({
    agentName: findCure(session.agent).name,
    totals: createTotals([session]),
  }))
  return { report, words: describeAudit(report, { worst: WORST }), heads }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
