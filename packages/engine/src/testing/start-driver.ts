import { createStrategies } from '../compaction/strategies.ts'
import type { SummaryReply, SummaryRequest } from '../compaction/strategy.ts'
import type { CheckPoint } from '../compaction/trigger.ts'
import { createDriver } from '../context/driver.ts'
import type { Driver } from '../context/driver.ts'
import type { Patience } from '../context/patience.ts'
import type { DriverEvent, DriverPorts, StopSignal, StopSource } from '../context/ports.ts'
import { createStop } from '../context/runtime.ts'
import { resolveLimits } from '../policy/limits.ts'
import type { CompactionPolicy } from '../policy/policy.ts'
import { PRESETS } from '../policy/presets.ts'
import { createState, foldEntry } from '../request/fold/fold.ts'
import type { Plan } from '../request/plan/planned-step.ts'
import type { SessionContext } from '../request/plan/session-context.ts'
import { UNCALIBRATED } from '../tokens/meter.ts'
import type { Entry, EntryBody } from '../transcript/entry.ts'
import { assistant, user } from './build-conversation.ts'
import { createManualClock } from './manual-clock.ts'
import type { ManualClock } from './manual-clock.ts'

/** A call for a summary that is not answered until the test answers it. */
interface OpenCall {
  readonly request: SummaryRequest
  readonly signal: StopSignal
  readonly reply: (reply?: Partial<SummaryReply>) => void
  readonly fail: () => void
}

/** A flush that does not end until the test ends it. */
interface OpenFlush {
  readonly signal: StopSignal
  readonly end: () => void
  readonly fail: () => void
}

export interface PortsUnderTest {
  readonly ports: DriverPorts
  readonly clock: ManualClock
  readonly entries: readonly Entry[]
  readonly events: readonly DriverEvent[]
  readonly calls: readonly OpenCall[]
  readonly flushes: readonly OpenFlush[]
  readonly context: () => SessionContext
  readonly append: (body: EntryBody) => void
  /** Adds so many turns of 500 tokens each. */
  readonly talk: (turns: number) => void
}

export interface PortsOptions {
  readonly policy?: Partial<CompactionPolicy>
  readonly maySpend?: () => Promise<boolean>
  readonly hasMemory?: boolean
}

/** With it: a compaction is due above 8,500 tokens, and a request may hold 9,500. */
const WINDOW_TOKENS = 10_000
const MAX_OUTPUT_TOKENS = 500
const GOOD_SUMMARY = '<summary>The user wrote a good deal, and all of it was noted.</summary>'

/** Everything around a driver, in memory: `oneclaw` in a small window, and a model and a memory that the test answers for. */
export function createTestPorts(options: PortsOptions = {}): PortsUnderTest {
  const { policy: changes = {}, maySpend = async () => true, hasMemory = false } = options
  const policy = { ...PRESETS.oneclaw, compaction: { ...PRESETS.oneclaw.compaction, ...changes } }
  const limits = resolveLimits(policy, { windowTokens: WINDOW_TOKENS, maxOutputTokens: MAX_OUTPUT_TOKENS })
  const clock = createManualClock()
  const entries: Entry[] = []
  const events: DriverEvent[] = []
  const calls: OpenCall[] = []
  const flushes: OpenFlush[] = []
  let state = createState()

  function append(body: EntryBody): void {
    const seq = state.head.lastSeq + 1
    const entry = { id: `e${seq}`, at: clock.now(), ...body, seq } as Entry
    entries.push(entry)
    state = foldEntry(state, entry)
  }
  const context = (): SessionContext => ({
    state,
    policy,
    limits,
    environment: { system: 'You help.', files: [], tools: [] },
    model: null,
    calibration: UNCALIBRATED,
  })
  const ports: DriverPorts = {
    clock,
    createStop,
    session: context,
    append: async (bodies, how) => {
      if (how?.epoch !== undefined && how.epoch !== state.head.epoch) throw new Error('the context has changed')
      bodies.forEach(append)
    },
    summarizer: () => ({
      ask: (request, signal) =>
        new Promise((resolve, reject) => {
          calls.push({
            request,
            signal: signal as StopSignal,
            reply: (reply = {}) => resolve({ text: GOOD_SUMMARY, finish: 'stop', ...reply }),
            fail: () => reject(new Error('down')),
          })
        }),
    }),
    strategies: createStrategies(),
    flush: hasMemory
      ? (signal) =>
          new Promise((resolve, reject) => {
            const end = (): void => {
              append({ type: 'flush', outcome: 'silent' })
              resolve()
            }
            flushes.push({ signal, end, fail: () => reject(new Error('down')) })
          })
      : null,
    maySpend,
    tell: (event) => void events.push(event),
  }
  return {
    ports,
    clock,
    entries,
    events,
    calls,
    flushes,
    context,
    append,
    talk(turns) {
      for (let turn = 0; turn < turns; turn += 1) {
        append({ type: 'message', ...user('w'.repeat(1_000)) })
        append({ type: 'message', ...assistant('a'.repeat(1_000)) })
      }
    },
  }
}

export interface DriverUnderTest extends PortsUnderTest {
  readonly driver: Driver
  readonly stop: StopSource
  readonly patience: Patience
  readonly ready: (checkPoint: CheckPoint) => Promise<Plan>
  /** Types of entries other than messages. */
  readonly stored: () => readonly string[]
}

export function startDriver(options: PortsOptions = {}): DriverUnderTest {
  const under = createTestPorts(options)
  const driver = createDriver(under.ports)
  const stop = createStop()
  const patience = { leftMs: under.context().policy.compaction.timeoutMs }
  return {
    ...under,
    driver,
    stop,
    patience,
    ready: (checkPoint) => driver.ready({ checkPoint, signal: stop.signal, patience }),
    stored: () => under.entries.flatMap(({ type }) => (type === 'message' ? [] : [type])),
  }
}
