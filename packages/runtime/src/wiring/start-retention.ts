import type { LogLine } from '@longhaul/agent'
import { applyRetention } from '@longhaul/store'
import type { Store } from '@longhaul/store'

export interface RetentionRun {
  readonly store: Store
  /** null: sessions are kept for ever. */
  readonly sessionsDays: number | null
  readonly now: () => number
  readonly log: (line: LogLine) => void
  readonly firstAfterMs?: number
}

const DAY_MS = 86_400_000
/** Not at once: a program that ends after one answer has nothing to clear up. */
const FIRST_AFTER_MS = 60_000

/** Deletes what has served its time, once a day. Keeps no process alive. */
export function startRetention(run: RetentionRun): { stop(): Promise<void> } {
  const { store, sessionsDays, now, log, firstAfterMs = FIRST_AFTER_MS } = run
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let timer = schedule(firstAfterMs)

  function schedule(afterMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      running = clear()
      timer = schedule(DAY_MS)
    }, afterMs).unref()
  }

  async function clear(): Promise<void> {
    try {
      const { sessions, ...counts } = await applyRetention(store, { now: now(), sessionsDays, signal: stopping.signal })
      log({ level: 'info', event: 'retention', message: `${sessions.length} sessions were erased.`, ...counts })
    } catch (error) {
      if (stopping.signal.aborted) return
      log({ level: 'warn', event: 'retention-failed', message: `Nothing was cleared up: ${String(error)}` })
    }
  }

  return {
    async stop() {
      clearTimeout(timer)
      stopping.abort()
      await running
    },
  }
}
