import { describeStatus } from '@longhaul/runtime'
import type { Runtime, SessionRecord } from '@longhaul/runtime'
import type { Session } from '@longhaul/protocol'

type Gauge = Pick<Session['tokens'], 'context' | 'window' | 'source'>

/** How full the context of each session is. Reading one opens its session, so the answer is kept until it changes. */
export interface Gauges {
  read(record: SessionRecord): Promise<Gauge>
  /** For a list: what is known or can be read in a moment; the rest is unknown until it is asked for again. */
  readSome(records: readonly SessionRecord[]): Promise<readonly Gauge[]>
}

const UNKNOWN: Gauge = { context: null, window: null, source: 'unknown' }
const MAX_KEPT = 1_000
/** Nobody waits longer than this for a list. */
const LIST_MS = 200

export function createGauges({ agent }: Pick<Runtime, 'agent'>): Gauges {
  const kept = new Map<string, { readonly lastSeq: number; readonly gauge: Gauge }>()

  function findKept({ id, head }: SessionRecord): Gauge | null {
    const known = kept.get(id)
    return known?.lastSeq === head.lastSeq ? known.gauge : null
  }

  async function read(record: SessionRecord): Promise<Gauge> {
    const known = findKept(record)
    if (known !== null) return known
    const view = await agent.inspect(record.id)
    const { context, window, source } = describeStatus(view).tokens
    const gauge = { context, window, source }
    kept.delete(record.id)
    kept.set(record.id, { lastSeq: view.context.state.head.lastSeq, gauge })
    const [oldest] = kept.keys()
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
    return gauge
  }

  return {
    read,
    async readSome(records) {
      const until = performance.now() + LIST_MS
      const gauges: Gauge[] = []
      for (const record of records) {
        const hasTime = performance.now() < until
        // One that cannot be read must not hide the others.
        gauges.push(hasTime ? await read(record).catch(() => UNKNOWN) : (findKept(record) ?? UNKNOWN))
      }
      return gauges
    },
  }
}
