import type { Usage } from '../transcript/message.ts'
import { ESTIMATOR_VERSION } from './estimate-message.ts'
import { UNCALIBRATED } from './meter.ts'
import type { Calibration, Reading } from './meter.ts'

/** One estimate and what was billed for the same content. */
interface Sample {
  readonly estimate: number
  readonly billed: number
}

/** What reported usage taught, newest last. Plain JSON; a store keeps one for each model and estimator. */
export interface Learnt {
  /** Estimates of another version are worth nothing: learning then starts anew. */
  readonly estimatorVersion: number
  /** What came after the last bill: these show the ratio. */
  readonly rests: readonly Sample[]
  /** Requests that no earlier bill covered: these show what the model adds to every request. */
  readonly wholes: readonly Sample[]
}

/** One answered request. Failed and cancelled ones are not to be learnt from: their bills are incomplete. */
export interface BillObservation {
  /** As measured before the request was sent. */
  readonly reading: Reading
  /** Of what `reading.reportedTokens` does not cover, not scaled: with system prompt and tools where no bill covers them. */
  readonly restEstimate: number
  readonly usage: Pick<Usage, 'input'>
}

const MAX_RESTS = 32
const MAX_WHOLES = 16
/** In less than this, separators and rounding weigh more than the text. */
const MIN_ESTIMATE = 200
const MIN_RATIO = 0.3
const MAX_RATIO = 4
/** A rest this many times off was something else: a hidden reminder, a bill without its output, a changed prefix. */
const MAX_STRAY = 8
/** That the estimate is right is believed as if this many tokens had been billed so. */
const BELIEVED_TOKENS = 1_000
/** Before any bill, a model is thought to add nothing, give or take this much. */
const OVERHEAD_SPREAD_TOKENS = 2_000
/** How far off a whole estimate usually is, once scaled. */
const WHOLE_SPREAD = 0.1
const LEAST_SPREAD_TOKENS = 20

export function createLearnt(): Learnt {
  return { estimatorVersion: ESTIMATOR_VERSION, rests: [], wholes: [] }
}

/** What is not a credible bill changes nothing. Memory and time do not grow with the number of bills. */
export function learnFromBill(learnt: Learnt, { reading, restEstimate, usage }: BillObservation): Learnt {
  const current = learnt.estimatorVersion === ESTIMATOR_VERSION ? learnt : createLearnt()
  const sample = { estimate: restEstimate, billed: usage.input - reading.reportedTokens }
  if (!isPositive(usage.input) || !isPositive(sample.estimate) || !isPositive(sample.billed)) return current
  switch (reading.source) {
    case 'reported':
      return isCredible(sample) ? { ...current, rests: [...current.rests, sample].slice(-MAX_RESTS) } : current
    case 'estimated':
      return { ...current, wholes: [...current.wholes, sample].slice(-MAX_WHOLES) }
    case 'unknown':
      // Without system prompt and tools the difference would be theirs, not the model's.
      return current
    default:
      return reading satisfies never
  }
}

const memo = new WeakMap<Learnt, Calibration>()

/**
 * Medians, so that a stray bill moves nothing. Rests show the ratio; what a whole request then was over its estimate is
 * overhead, the surer the smaller the request. What is left of a large one speaks about the ratio again. Remembered, so
 * that nothing is measured anew while nothing new is learnt.
 */
export function toCalibration(learnt: Learnt): Calibration {
  const known = memo.get(learnt)
  if (known !== undefined) return known
  const calibration = learnt.estimatorVersion === ESTIMATOR_VERSION ? calibrate(learnt) : UNCALIBRATED
  memo.set(learnt, calibration)
  return calibration
}

function calibrate({ rests, wholes }: Learnt): Calibration {
  const overheadTokens = findOverhead(wholes, findRatio(rests))
  const cleared = wholes.map(({ estimate, billed }) => ({ estimate, billed: billed - overheadTokens }))
  return { ratio: findRatio([...rests, ...cleared.filter(isCredible)]), overheadTokens }
}

function findRatio(samples: readonly Sample[]): number {
  const believed = { value: UNCALIBRATED.ratio, weight: Math.sqrt(BELIEVED_TOKENS) }
  const seen = samples.map(({ estimate, billed }) => ({ value: billed / estimate, weight: Math.sqrt(estimate) }))
  return Math.min(MAX_RATIO, Math.max(MIN_RATIO, weightedMedian([believed, ...seen])))
}

function findOverhead(wholes: readonly Sample[], ratio: number): number {
  const believed = weigh(UNCALIBRATED.overheadTokens, OVERHEAD_SPREAD_TOKENS)
  const seen = wholes.map(({ estimate, billed }) =>
    weigh(billed - estimate * ratio, LEAST_SPREAD_TOKENS + estimate * WHOLE_SPREAD),
  )
  return Math.max(0, Math.round(weightedMedian([believed, ...seen])))
}

function weigh(value: number, spread: number): Weighted {
  return { value, weight: 1 / spread ** 2 }
}

function isCredible({ estimate, billed }: Sample): boolean {
  return estimate >= MIN_ESTIMATE && billed >= estimate / MAX_STRAY && billed <= estimate * MAX_STRAY
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0
}

interface Weighted {
  readonly value: number
  readonly weight: number
}

/** Half of the weight lies on either side. Between two values it moves in proportion, so that no new one makes it jump. */
function weightedMedian(values: readonly Weighted[]): number {
  const sorted = values.toSorted((first, second) => first.value - second.value)
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2
  let passed = 0
  let before = { value: sorted[0]?.value ?? 0, middle: 0 }
  for (const { value, weight } of sorted) {
    const middle = passed + weight / 2
    if (middle >= half) {
      const share = (half - before.middle) / (middle - before.middle)
      return before.value + (value - before.value) * share
    }
    before = { value, middle }
    passed += weight
  }
  return before.value
}
