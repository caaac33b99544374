import type { Store } from '@longhaul/store/port'
import { describeError, toAgentError } from '../agent-error.ts'
import type { AgentError } from '../agent-error.ts'
import type { LogLine } from '../port/agent-options.ts'

/** Why nothing can be stored at the moment; null: it can. Any number of callers share one look at the store. */
export type StoreCheck = () => Promise<AgentError | null>

export interface StoreCheckOptions {
  readonly store: Pick<Store, 'probe'>
  readonly log: (line: LogLine) => void
}

/** A store that took something just now is not asked again at once: the question itself is a write. */
const GOOD_FOR_MS = 5_000
/** Whoever waits for room should not wait for long after there is some. */
const BAD_FOR_MS = 500

export function createStoreCheck({ store, log }: StoreCheckOptions): StoreCheck {
  let known: { readonly problem: AgentError | null; readonly at: number } | null = null
  let looking: Promise<AgentError | null> | null = null

  async function look(): Promise<AgentError | null> {
    const problem = await store.probe().then(
      () => null,
      (error: unknown) => toAgentError(error),
    )
    if (problem !== null && (known?.problem ?? null) === null)
      log({ level: 'error', event: 'store-unavailable', message: describeError(problem.cause) })
    if (problem === null && known !== null && known.problem !== null)
      log({ level: 'info', event: 'store-available', message: 'The store takes writes again.' })
    known = { problem, at: performance.now() }
    return problem
  }

  return () => {
    const goodForMs = known?.problem === null ? GOOD_FOR_MS : BAD_FOR_MS
    if (known !== null && performance.now() - known.at < goodForMs) return Promise.resolve(known.problem)
    looking ??= look().finally(() => (looking = null))
    return looking
  }
}
