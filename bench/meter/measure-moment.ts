import { PRESETS, createView, measureView, toCalibration } from '@longhaul/engine/advanced'
import type {
  Entry,
  Environment,
  Learnt,
  Lesson,
  MessageEntry,
  Reading,
  State,
  Usage,
  View,
} from '@longhaul/engine/advanced'

export type BilledAnswer = MessageEntry & { readonly usage: Usage }

/** A session just before a request is sent, and the answer it will get. */
export interface Moment {
  readonly state: State
  readonly learnt: Learnt
  readonly answer: BilledAnswer
}

export interface MeasuredMoment {
  readonly view: View
  readonly reading: Reading
  readonly chainHash: string
  /** The answer whose bill covers all before it; null where none does. */
  readonly billed: MessageEntry | null
  /** What it does not cover, everything where there is none. */
  readonly rest: View['items']
  readonly lesson: Lesson
}

const policy = PRESETS.longhaul
/** What the peers sent around the messages is not in their transcripts: to the meter it is overhead, to be learnt. */
const environment: Environment = { system: null, files: [], tools: [] }

export function measureMoment({ state, learnt, answer }: Moment): MeasuredMoment {
  const model = answer.model ?? null
  const view = createView(state, policy)
  const calibration = toCalibration(learnt)
  const { reading, trace, lesson } = measureView(view, {
    environment,
    model,
    calibration,
    estimator: policy.estimator,
  })
  const billed = view.items[trace.billedIndex]?.entry ?? null
  // An answer whose own bill the meter does not believe is part of what is not billed yet.
  const isBelieved = reading.reportedTokens > (billed?.usage?.input ?? 0)
  const from = trace.billedIndex + (billed === null || isBelieved ? 1 : 0)
  const rest = view.items.slice(from)
  // After an edit Longhaul leaves reasoning out; the programs whose bills these are sent it again.
  const dropped = rest.filter((_, index) => trace.dropsReasoning[from + index])
  const resent = dropped.reduce((sum, { reasoningTokens }) => sum + reasoningTokens, 0)
  const tokens = reading.tokens === null ? null : Math.ceil(reading.tokens + resent * calibration.ratio)
  return {
    view,
    reading: tokens === null || reading.tokens === null ? reading : { ...reading, tokens },
    chainHash: trace.chainHash,
    billed,
    rest,
    lesson: { ...lesson, rest: { ...lesson.rest, tokens: lesson.rest.tokens + resent } },
  }
}

export function isBilled(entry: Entry): entry is BilledAnswer {
  if (entry.type !== 'message' || entry.role !== 'assistant' || entry.finish === 'error') return false
  return entry.finish !== 'aborted' && (entry.usage?.input ?? 0) > 0
}

/**
 * Claude Code often stores how many tokens the first chunk of an answer had. No model writes six characters of JSON with
 * one token, so a bill of less is such a count.
 */
export function isWholeBill(entry: MessageEntry | null): boolean {
  if (entry?.usage === undefined) return false
  const chars = entry.parts.reduce((sum, part) => sum + JSON.stringify({ ...part, providerOptions: null }).length, 0)
  return entry.usage.output * 6 >= chars
}
