import type { Usage } from '../transcript/message.ts'
import { ESTIMATOR_VERSION } from './estimate-message.ts'
import { UNCALIBRATED } from './meter.ts'
import type { Calibration, Estimate, Reading } from './meter.ts'

/** One estimate and what was billed for the same content. */
interface Sample {
  readonly estimate: number
  readonly billed: number
  /** Absent: none. */
  readonly frames?: number
  /** Absent: none. */
  readonly numberedLines?: number
}

/** What reported usage taught, newest last. Plain JSON; a store keeps one for each model and estimator. */
export interface Learnt {
  /** Estimates of another version are worth nothing: learning then starts anew. */
  readonly estimatorVersion: number
  /** What came after the last bill and is mostly text: these show the ratio. */
  readonly rests: readonly Sample[]
  /** Requests that no earlier bill covered: these show what the model adds to every request. */
  readonly wholes: readonly Sample[]
  /** Little else than tool calls: these show what the model adds to each and to their arguments. Absent: none yet. */
  readonly calls?: readonly Sample[]
  /** What came after the last bill, where a good part is numbered lines: these show what it adds to each. Absent: none yet. */
  readonly listings?: readonly Sample[]
}

/** What one request can teach, once it is billed. Nothing in it is scaled. */
export interface Lesson {
  /** What `reading.reportedTokens` does not cover: with system prompt and tools where no bill covers them. */
  readonly rest: Estimate
  /** The newest answer that the reading takes by its own bill; null where that may hold more than can be seen. */
  readonly answer: (Estimate & { readonly billed: number }) | null
}

/** One answered request. Failed and cancelled ones are not to be learnt from: their bills are incomplete. */
export interface BillObservation {
  /** As measured before the request was sent. */
  readonly reading: Reading
  readonly lesson: Lesson
  readonly usage: Pick<Usage, 'input'>
}

const MAX_RESTS = 32
const MAX_WHOLES = 16
const MAX_CALLS = 32
const MAX_LISTINGS = 32
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
/** How far off an estimate usually is, once scaled. */
const ESTIMATE_SPREAD = 0.1
const LEAST_SPREAD_TOKENS = 20
/** Before any bill, a call and each of its arguments is thought to cost its estimate, give or take this much. */
const FRAME_SPREAD_TOKENS = 8
/** Twice what any provider known to us adds. */
const MAX_FRAME_TOKENS = 30
/** A line of code is about 13 tokens: with one number in so many, a third of the text is numbered. */
const LISTING_TOKENS_PER_LINE = 40
/** Before any bill, a line's number is thought to cost its estimate, give or take this much. */
const LINE_SPREAD_TOKENS = 2
/** About what the number, its padding and its separator are estimated at: they cannot cost less than nothing. */
const MAX_LINE_TOKENS = 4

export function createLearnt(): Learnt {
  return { estimatorVersion: ESTIMATOR_VERSION, rests: [], wholes: [] }
}

/** What is not a credible bill changes nothing. Memory and time do not grow with the number of bills. */
export function learnFromBill(learnt: Learnt, { reading, lesson, usage }: BillObservation): Learnt {
  const current = learnt.estimatorVersion === ESTIMATOR_VERSION ? learnt : createLearnt()
  if (!isPositive(usage.input)) return current
  const sample = createSample(lesson.rest, usage.input - reading.reportedTokens)
  switch (reading.source) {
    case 'reported':
      return addRest(addAnswer(current, lesson.answer), sample)
    case 'estimated':
      return sample === null ? current : { ...current, wholes: [...current.wholes, sample].slice(-MAX_WHOLES) }
    case 'unknown':
      // Without system prompt and tools the difference would be theirs, not the model's.
      return current
    default:
      return reading satisfies never
  }
}

function addRest(learnt: Learnt, sample: Sample | null): Learnt {
  if (sample === null || !isCredible(sample)) return addCalls(learnt, sample)
  if (isListing(sample)) return { ...learnt, listings: [...(learnt.listings ?? []), sample].slice(-MAX_LISTINGS) }
  return { ...learnt, rests: [...learnt.rests, sample].slice(-MAX_RESTS) }
}

function addAnswer(learnt: Learnt, answer: Lesson['answer']): Learnt {
  return answer === null ? learnt : addCalls(learnt, createSample(answer, answer.billed))
}

function addCalls(learnt: Learnt, sample: Sample | null): Learnt {
  if (sample === null || countFrames(sample) === 0 || !isNear(sample)) return learnt
  return { ...learnt, calls: [...(learnt.calls ?? []), sample].slice(-MAX_CALLS) }
}

function createSample({ tokens, frames, numberedLines }: Estimate, billed: number): Sample | null {
  if (!isPositive(tokens) || !isPositive(billed)) return null
  return {
    estimate: tokens,
    billed,
    ...(isPositive(frames) ? { frames } : {}),
    ...(isPositive(numberedLines) ? { numberedLines } : {}),
  }
}

const memo = new WeakMap<Learnt, Calibration>()

/**
 * Medians, so that a stray bill moves nothing. Rests show the ratio; what answers with calls were over their estimate is
 * the calls', what listings were over or under theirs is the numbers', and what a whole request then was over its own is
 * overhead: the surer, the smaller they were. What is left of a large request speaks about the ratio again. Remembered,
 * so that nothing is measured anew while nothing new is learnt.
 */
export function toCalibration(learnt: Learnt): Calibration {
  const known = memo.get(learnt)
  if (known !== undefined) return known
  const calibration = learnt.estimatorVersion === ESTIMATOR_VERSION ? calibrate(learnt) : UNCALIBRATED
  memo.set(learnt, calibration)
  return calibration
}

function calibrate({ rests, wholes, calls = [], listings = [] }: Learnt): Calibration {
  const frameTokens = clamp(findTokensEach([...calls, ...rests], findRatio(rests), FRAMES), 0, MAX_FRAME_TOKENS)
  const withoutFrames = (sample: Sample): Sample => subtract(sample, countFrames(sample) * frameTokens)
  const numbered = listings.map(withoutFrames).filter(isCredible)
  const texts = rests.map(withoutFrames).filter(isCredible)
  // Without other text nothing tells what is the numbers' and what the ratio's.
  if (texts.length === 0) texts.push(...numbered)
  const lineTokens = clamp(findTokensEach(numbered, findRatio(texts), LINES), -MAX_LINE_TOKENS, MAX_LINE_TOKENS)
  const withoutLines = (sample: Sample): Sample => subtract(sample, countLines(sample) * lineTokens)
  const requests = wholes.map(withoutFrames).map(withoutLines)
  const overheadTokens = findOverhead(requests, findRatio(texts))
  const cleared = requests.map((sample) => subtract(sample, overheadTokens)).filter(isCredible)
  return { ratio: findRatio([...texts, ...cleared]), frameTokens, lineTokens, overheadTokens }
}

function subtract(sample: Sample, tokens: number): Sample {
  return { ...sample, billed: sample.billed - tokens }
}

function countFrames({ frames = 0 }: Sample): number {
  return frames
}

function countLines({ numberedLines = 0 }: Sample): number {
  return numberedLines
}

interface Counted {
  readonly count: (sample: Sample) => number
  /** How far from nothing it is thought to be before any bill. */
  readonly spreadTokens: number
}

const FRAMES: Counted = { count: countFrames, spreadTokens: FRAME_SPREAD_TOKENS }
const LINES: Counted = { count: countLines, spreadTokens: LINE_SPREAD_TOKENS }

function isListing(sample: Sample): boolean {
  return countLines(sample) * LISTING_TOKENS_PER_LINE > sample.estimate
}

/** What each of the counted things is billed over its share of the estimate. */
function findTokensEach(samples: readonly Sample[], ratio: number, { count, spreadTokens }: Counted): number {
  const believed = weigh(0, spreadTokens)
  const seen = samples
    .filter((sample) => count(sample) > 0)
    .map((sample) => {
      const things = count(sample)
      return weigh((sample.billed - sample.estimate * ratio) / things, spreadOf(sample) / things)
    })
  // Not -0, which is 0 once stored.
  return Math.round(weightedMedian([believed, ...seen]) * 100) / 100 + 0
}

function findRatio(samples: readonly Sample[]): number {
  const believed = { value: UNCALIBRATED.ratio, weight: Math.sqrt(BELIEVED_TOKENS) }
  const seen = samples.map(({ estimate, billed }) => ({ value: billed / estimate, weight: Math.sqrt(estimate) }))
  return clamp(weightedMedian([believed, ...seen]), MIN_RATIO, MAX_RATIO)
}

function findOverhead(wholes: readonly Sample[], ratio: number): number {
  const believed = weigh(UNCALIBRATED.overheadTokens, OVERHEAD_SPREAD_TOKENS)
  const seen = wholes.map((whole) => weigh(whole.billed - whole.estimate * ratio, spreadOf(whole)))
  return Math.max(0, Math.round(weightedMedian([believed, ...seen])))
}

function spreadOf({ estimate }: Sample): number {
  return LEAST_SPREAD_TOKENS + estimate * ESTIMATE_SPREAD
}

function weigh(value: number, spread: number): Weighted {
  return { value, weight: 1 / spread ** 2 }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}

function isCredible(sample: Sample): boolean {
  return sample.estimate >= MIN_ESTIMATE && isNear(sample)
}

function isNear({ estimate, billed }: Sample): boolean {
  return billed >= estimate / MAX_STRAY && billed <= estimate * MAX_STRAY
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
