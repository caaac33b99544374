import type { Estimator } from '../../tokens/estimate-message.ts'
import { countResent, readMeter, scaleEstimate, sumRest } from '../../tokens/meter.ts'
import type { Lesson } from '../../tokens/calibrate.ts'
import type { Calibration, Reading, TracedRequest } from '../../tokens/meter.ts'
import { tracePrefix } from '../../tokens/trace-prefix.ts'
import type { PrefixTrace } from '../../tokens/trace-prefix.ts'
import { measureEnvironment } from './environment.ts'
import type { Environment } from './environment.ts'
import type { View } from './view.ts'

export interface MeasureContext {
  /** null where the caller does not have it: then a view without a bill is of unknown size. */
  readonly environment: Environment | null
  readonly model: string | null
  readonly calibration: Calibration
  readonly estimator: Estimator
}

export interface MeasuredView {
  readonly reading: Reading
  readonly trace: PrefixTrace
  /** What a bill for this request will teach the meter by. */
  readonly lesson: Lesson
}

const measures = new WeakMap<View, { readonly context: MeasureContext; readonly measured: MeasuredView }>()

/** How big the next request is. Gauge, trigger, flush, seal and report all use this number. Remembered per view. */
export function measureView(view: View, context: MeasureContext): MeasuredView {
  const known = measures.get(view)
  if (known !== undefined && isSameContext(known.context, context)) return known.measured
  const { environment, model, calibration, estimator } = context
  const around = environment === null ? null : measureEnvironment(environment, estimator)
  const trace = tracePrefix(view.items, { environmentHash: around?.hash ?? '', model, isEdited: view.isEdited })
  const request = { items: view.items, trace, model, calibration }
  const reading = readMeter({ ...request, environmentTokens: around?.tokens ?? null })
  const uncovered = reading.source === 'reported' ? 0 : (around?.tokens ?? 0)
  const { estimate } = sumRest(request)
  const rest = { ...estimate, tokens: estimate.tokens + uncovered }
  const measured = { reading, trace, lesson: { rest, answer: lastAnswer(request) } }
  measures.set(view, { context: { environment, model, calibration, estimator }, measured })
  return measured
}

/** The newest billed answer, if its bill can be believed and holds no thinking, of which only an excerpt may be in view. */
function lastAnswer({ items, trace, ...request }: TracedRequest): Lesson['answer'] {
  const item = items[trace.billedIndex]
  if (item === undefined || item.hasReasoning) return null
  const billed = countResent(item, request)
  if (billed === null) return null
  const { tokens, frames, numberedLines } = item
  return { tokens, frames, numberedLines, billed }
}

function isSameContext(a: MeasureContext, b: MeasureContext): boolean {
  return (
    a.environment === b.environment &&
    a.model === b.model &&
    a.calibration === b.calibration &&
    a.estimator === b.estimator
  )
}

/** All of the view by estimate alone: the yardstick for "strictly smaller", where two views are compared. */
export function estimateView(view: View, context: MeasureContext): number {
  const { environment, calibration, estimator } = context
  const { dropsReasoning } = measureView(view, context).trace
  let tokens = environment === null ? 0 : measureEnvironment(environment, estimator).tokens
  let [frames, numberedLines] = [0, 0]
  view.items.forEach((item, index) => {
    tokens += item.tokens - (dropsReasoning[index] === true ? item.reasoningTokens : 0)
    frames += item.frames
    numberedLines += item.numberedLines
  })
  return Math.ceil(scaleEstimate({ tokens, frames, numberedLines }, calibration) + calibration.overheadTokens)
}
