import { readFileSync } from 'node:fs'
import { listCompactions, listMarks } from '@longhaul/runtime'
import type { LogLine, Runtime } from '@longhaul/runtime'
import { createApprovalRight } from './guard/approval-right.ts'
import { createGauges } from './present/gauges.ts'
import { keepUntilChanged } from './present/keep-until-changed.ts'
import { createSummaries } from './present/summaries.ts'
import type { ServerContext } from './server-context.ts'
import { createSessionFollower } from './stream/session-follower.ts'
import { createMetrics } from './telemetry/metrics/create-metrics.ts'
import type { Metrics } from './telemetry/metrics/create-metrics.ts'

export interface ContextOptions {
  readonly runtime: Runtime
  /** The name or address it listens on. */
  readonly host: string
  readonly log?: (line: LogLine) => void
  readonly metrics?: Metrics
  /** Called each time that a browser opened a one-time address and used it up. */
  readonly onOpened?: () => void
}

export interface OwnContext {
  readonly context: ServerContext
  /** From now on no turn is begun. */
  readonly drain: () => void
  /** Ends open streams. */
  readonly stop: () => void
}

/** Those somebody has opened: they come in dozens, not in thousands. */
const MAX_SESSIONS = 50

export function createServerContext({
  runtime,
  host,
  log = () => undefined,
  metrics = createMetrics(),
  onOpened,
}: ContextOptions): OwnContext {
  const draining = new AbortController()
  const stopping = new AbortController()
  return {
    context: {
      runtime,
      version: readVersion(),
      log,
      metrics,
      host,
      approvalRight: createApprovalRight({
        hasToken: runtime.config.token !== null,
        ...(onOpened && { onGranted: onOpened }),
      }),
      follower: createSessionFollower(runtime),
      gauges: createGauges(runtime),
      summaries: createSummaries(runtime),
      compactions: keepUntilChanged({ read: (id) => listCompactions(runtime.store, id), maxSessions: MAX_SESSIONS }),
      marks: keepUntilChanged({ read: (id) => listMarks(runtime.store, id), maxSessions: MAX_SESSIONS }),
      followedTurns: new Set(),
      passingCalls: new Set(),
      draining: draining.signal,
      stopping: stopping.signal,
    },
    drain: () => draining.abort(),
    stop: () => stopping.abort(),
  }
}

/** The version of this package. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
