import type { OpenAPIHono } from '@hono/zod-openapi'
import type { CompactionRecord, LogLine, Runtime } from '@longhaul/runtime'
import type { Mark } from '@longhaul/protocol'
import type { ApprovalRight } from './guard/approval-right.ts'
import type { Gauges } from './present/gauges.ts'
import type { Kept } from './present/keep-until-changed.ts'
import type { Summaries } from './present/summaries.ts'
import type { SessionFollower } from './stream/session-follower.ts'
import type { Metrics } from './telemetry/metrics/create-metrics.ts'

/** What every route works with. */
export interface ServerContext {
  readonly runtime: Runtime
  readonly version: string
  readonly log: (line: LogLine) => void
  readonly metrics: Metrics
  /** The name or address it listens on. */
  readonly host: string
  readonly approvalRight: ApprovalRight
  readonly follower: SessionFollower
  readonly gauges: Gauges
  readonly summaries: Summaries
  /** Oldest first. */
  readonly compactions: Kept<readonly CompactionRecord[]>
  readonly marks: Kept<readonly Mark[]>
  /** The turns that are being followed: a server that stops lets them come to their end first. */
  readonly followedTurns: Set<{ readonly id: string }>
  /** The gateway's calls that are under way: they come to their end first, too. */
  readonly passingCalls: Set<object>
  /** Aborted when it takes no more turns; those under way may still end. */
  readonly draining: AbortSignal
  /** Aborted when the server stops: open streams end, so that clients come back to another one. */
  readonly stopping: AbortSignal
}

export type App = OpenAPIHono
