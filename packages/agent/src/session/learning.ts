import { createLearnt, learnFromBill, toCalibration } from '@longhaul/engine/advanced'
import type { BillObservation, Calibration, Estimator } from '@longhaul/engine/advanced'
import type { Learned, LearnedValues } from '@longhaul/store/port'
import { describeError } from '../agent-error.ts'
import type { LogLine } from '../port/agent-options.ts'

/** What endpoints have taught about the session's model, kept for all sessions. What cannot be kept holds nothing up. */
export interface Learning {
  /** To be called at the start and after every change of the model. */
  load(): Promise<void>
  calibration(): Calibration
  /** The smallest limit that an endpoint has named; null: none. */
  windowTokens(): number | null
  /** A request and what was billed for it. */
  addBill(observation: BillObservation): Promise<void>
  /** A limit that an endpoint named. */
  addWindow(tokens: number): Promise<void>
  /** The endpoint may have been given a larger window since: whether it has, the next request tells. */
  forgetWindow(): Promise<void>
}

export interface LearningOptions {
  readonly store: Learned
  readonly model: () => string
  readonly estimator: () => Estimator
  readonly now: () => number
  readonly log: (line: LogLine) => void
}

export function createLearning({ store, model, estimator, now, log }: LearningOptions): Learning {
  let values: LearnedValues = { calibrations: {}, window: null }
  const learnt = () => values.calibrations[estimator()] ?? NOTHING_LEARNT

  async function keep(written: Promise<void>): Promise<void> {
    try {
      await written
    } catch (error) {
      log({ level: 'warn', event: 'learning-lost', message: `What was learnt is not kept: ${describeError(error)}` })
    }
  }

  return {
    async load() {
      values = await store.get(model())
    },
    calibration: () => toCalibration(learnt()),
    windowTokens: () => values.window?.tokens ?? null,
    async addBill(observation) {
      const next = learnFromBill(learnt(), observation)
      if (next === learnt()) return
      values = { ...values, calibrations: { ...values.calibrations, [estimator()]: next } }
      await keep(store.setCalibration(model(), estimator(), next))
    },
    async addWindow(tokens) {
      const known = values.window?.tokens ?? Infinity
      if (!Number.isSafeInteger(tokens) || tokens < 1 || tokens >= known) return
      const window = { tokens, at: now() }
      values = { ...values, window }
      await keep(store.setWindow(model(), window))
    },
    async forgetWindow() {
      if (values.window === null) return
      values = { ...values, window: null }
      await keep(store.setWindow(model(), null))
    },
  }
}

/** One object, so that what is worked out for it is remembered. */
const NOTHING_LEARNT = createLearnt()
