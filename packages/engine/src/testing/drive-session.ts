import { createStrategies } from '../compaction/strategies.ts'
import type { AskModel } from '../compaction/strategy.ts'
import type { CheckPoint } from '../compaction/trigger.ts'
import { createDriver } from '../context/driver.ts'
import type { DriverEvent } from '../context/ports.ts'
import { createStop } from '../context/runtime.ts'
import { resolveLimits } from '../policy/limits.ts'
import type { Limits } from '../policy/limits.ts'
import type { ContextPolicy } from '../policy/policy.ts'
import { createState, foldEntry } from '../request/fold/fold.ts'
import type { State } from '../request/fold/state.ts'
import type { Plan } from '../request/plan/planned-step.ts'
import type { SessionContext } from '../request/plan/session-context.ts'
import { sealRequest } from '../request/seal/seal.ts'
import type { SealedRequest } from '../request/seal/sealed-request.ts'
import type { Environment } from '../request/view/environment.ts'
import { createView } from '../request/view/view.ts'
import type { View } from '../request/view/view.ts'
import { UNCALIBRATED } from '../tokens/meter.ts'
import type { Entry, EntryBody, NewEntry } from '../transcript/entry.ts'

export interface DriveOptions {
  readonly policy: ContextPolicy
  readonly windowTokens: number | null
  readonly environment?: Environment
  readonly ask?: AskModel
}

/** A session in memory with the real driver, and a clock that the test moves. */
export interface DrivenSession {
  readonly entries: readonly Entry[]
  readonly events: readonly DriverEvent[]
  readonly state: () => State
  readonly view: () => View
  readonly context: () => SessionContext
  readonly seal: () => SealedRequest
  readonly append: (entry: EntryBody | NewEntry) => void
  /** Does what is due at a check point until nothing is, work beside the conversation included; returns the last plan. */
  readonly maintain: (checkPoint: CheckPoint) => Promise<Plan>
  /** Compacts as if somebody had asked for it. */
  readonly compact: () => Promise<boolean>
  /** Makes room as after a refusal by the provider. */
  readonly recover: () => Promise<boolean>
  readonly setWindow: (tokens: number | null) => void
  readonly wait: (ms: number) => void
  readonly now: () => number
}

export function driveSession(options: DriveOptions): DrivenSession {
  const { policy, ask = failingAsk } = options
  const environment = options.environment ?? { system: 'You help.', files: [], tools: [] }
  const entries: Entry[] = []
  const events: DriverEvent[] = []
  let state = createState()
  let now = 1_700_000_000_000
  let limits: Limits | null = resolveLimits(policy, {
    windowTokens: options.windowTokens ?? policy.assumedWindowTokens,
  })

  const append: DrivenSession['append'] = (entry) => {
    const seq = state.head.lastSeq + 1
    const written = { id: `e${seq}`, at: now, ...entry, seq } as Entry
    entries.push(written)
    state = foldEntry(state, written)
  }
  const context = (): SessionContext => {
    const { model } = state.head
    return { state, policy, limits, environment, model, calibration: UNCALIBRATED }
  }
  const waiting = () => ({ signal: createStop().signal, patience: { leftMs: policy.compaction.timeoutMs } })
  const driver = createDriver({
    clock: { now: () => now, after: () => () => undefined },
    createStop,
    session: context,
    append: async (bodies) => bodies.forEach(append),
    summarizer: () => ({ ask }),
    strategies: createStrategies(),
    flush: async () => append({ type: 'flush', outcome: 'silent' }),
    maySpend: async () => true,
    tell: (event) => void events.push(event),
  })
  return {
    entries,
    events,
    state: () => state,
    view: () => createView(state, policy),
    context,
    seal: () =>
      sealRequest({
        view: createView(state, policy),
        context: { ...context(), estimator: policy.estimator },
        maxTokens: limits?.inputTokens ?? null,
        maxBytes: null,
      }),
    append,
    async maintain(checkPoint) {
      // A summary that was made beside the conversation may make another due, or none: the next look tells.
      for (;;) {
        const before = entries.length
        const plan = await driver.ready({ checkPoint, ...waiting() })
        await driver.settled()
        if (entries.length === before) return plan
      }
    },
    async compact() {
      const result = await driver.compact({ signal: createStop().signal })
      return result.didCompact || ('fallback' in result && result.fallback !== null)
    },
    recover: () => driver.makeRoom({ ...waiting(), tokensBefore: 0, refusals: 0 }),
    setWindow: (tokens) => {
      limits = resolveLimits(policy, { windowTokens: tokens ?? policy.assumedWindowTokens })
    },
    wait: (ms) => {
      now += ms
    },
    now: () => now,
  }
}

const failingAsk: AskModel = () => Promise.reject(new Error('no model is scripted'))
