import { describeStatus } from '@longhaul/runtime'
import type { Runtime, SessionRecord } from '@longhaul/runtime'
import type { Session } from '@longhaul/protocol'
import { keepUntilChanged } from './keep-until-changed.ts'

/** How full a context is, and what its user should know. */
export type Gauge = Pick<Session['tokens'], 'context' | 'window' | 'source'> & { readonly warnings: readonly string[] }

/** The gauge of each session. Reading one opens its session, so the answer is kept until it changes. */
export interface Gauges {
  read(record: SessionRecord): Promise<Gauge>
  /** For a list: what is known or can be read in a moment; the rest is unknown until it is asked for again. */
  readSome(records: readonly SessionRecord[]): Promise<readonly Gauge[]>
}

const UNKNOWN: Gauge = { context: null, window: null, source: 'unknown', warnings: [] }
/** A gauge is a few values, and a list shows many. */
const MAX_SESSIONS = 1_000
/** Nobody waits longer than this for a list. */
const LIST_MS = 200
/** Measuring more than so many at once would hold up everybody else. */
const QUICK_ENTRIES = 10_000

export function createGauges({ agent }: Pick<Runtime, 'agent'>): Gauges {
  const kept = keepUntilChanged<Gauge>({
    maxSessions: MAX_SESSIONS,
    async read(sessionId) {
      const { tokens, warnings } = describeStatus(await agent.inspect(sessionId))
      const { context, window, source } = tokens
      return { context, window, source, warnings }
    },
  })
  return {
    read: (record) => kept.read(record),
    async readSome(records) {
      const until = performance.now() + LIST_MS
      const gauges: Gauge[] = []
      for (const record of records) {
        const isQuick = kept.has(record) || (performance.now() < until && isShort(record))
        // One that cannot be read must not hide the others.
        gauges.push(isQuick ? await kept.read(record).catch(() => UNKNOWN) : UNKNOWN)
      }
      return gauges
    },
  }
}

/** By what lies in its context, however long the session is. */
function isShort({ head }: SessionRecord): boolean {
  return head.lastSeq - head.base.fromSeq <= QUICK_ENTRIES
}
