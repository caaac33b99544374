import type { Store } from '../port/store.ts'
import { StoreError } from '../store-error.ts'
import { purgeOldSessions } from './purge-old-sessions.ts'
import type { Purge } from './purge-old-sessions.ts'

/** How long things are kept. null: for ever. */
export interface Retention {
  /** Since the last entry; hidden sessions too. They are erased for good. */
  readonly sessionsDays: number | null
  /** Manifests: without them a request of that time cannot be explained any more. */
  readonly requestsDays: number | null
  /** What a client can catch up on after it was away. */
  readonly eventsHours: number | null
  /** Full tool results: the shortened one stays in the transcript. */
  readonly artifactsDays: number | null
  /** How long the same message, sent again, is known to be the same. */
  readonly settledInboxDays: number | null
}

/** What a user said is kept until the user decides otherwise; the rest is kept as long as it can still serve. */
export const DEFAULT_RETENTION: Retention = {
  sessionsDays: null,
  requestsDays: 90,
  eventsHours: 24,
  artifactsDays: 90,
  settledInboxDays: 30,
}

export interface RetentionOptions extends Partial<Retention> {
  readonly now: number
  readonly signal?: AbortSignal
}

export interface RetentionReport {
  readonly sessions: readonly string[]
  /** Old enough, but owned by somebody or with something waiting. */
  readonly sessionsInUse: readonly string[]
  readonly requests: number
  readonly events: number
  readonly artifacts: number
  readonly settledInbox: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Deletes what has outlived its time. Several servers may do so at once. */
export async function applyRetention(store: Store, options: RetentionOptions): Promise<RetentionReport> {
  const { now, signal, ...own } = options
  const retention: Retention = { ...DEFAULT_RETENTION, ...own }
  checkTimes(now, retention)

  async function deleteOld(age: number | null, unitMs: number, deleteBefore: (at: number) => Promise<number>) {
    signal?.throwIfAborted()
    return age === null ? 0 : deleteBefore(now - age * unitMs)
  }

  const { sessionsDays, eventsHours, requestsDays, artifactsDays, settledInboxDays } = retention
  const events = await deleteOld(eventsHours, HOUR_MS, (at) => store.events.deleteBefore(at))
  const requests = await deleteOld(requestsDays, DAY_MS, (at) => store.requests.deleteBefore(at))
  const artifacts = await deleteOld(artifactsDays, DAY_MS, (at) => store.artifacts.deleteBefore(at))
  const settledInbox = await deleteOld(settledInboxDays, DAY_MS, (at) => store.inbox.deleteSettledBefore(at))
  // Last, because it costs most and a reader of an older state can stop it.
  const { purged, inUse } =
    sessionsDays === null
      ? NO_PURGE
      : await purgeOldSessions(store, { now, before: now - sessionsDays * DAY_MS, signal })
  return { sessions: purged, sessionsInUse: inUse, events, requests, artifacts, settledInbox }
}

const NO_PURGE: Purge = { purged: [], inUse: [] }

/** A negative age would reach into the future and delete everything. */
function checkTimes(now: number, retention: Retention): void {
  if (!Number.isSafeInteger(now)) throw new StoreError('invalid', 'Retention needs the time of now in milliseconds.')
  for (const [name, age] of Object.entries(retention)) {
    if (age !== null && !(age > 0 && Number.isFinite(age))) {
      throw new StoreError('invalid', `${name} must be a number above 0, or null to keep them for ever.`)
    }
  }
}
