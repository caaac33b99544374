import type { Estimator } from '../../tokens/estimate-message.ts'
import { readMeter, sumRest } from '../../tokens/meter.ts'
import type { Calibration, Reading } from '../../tokens/meter.ts'
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
  /** Of what the reading's bills do not cover, not scaled: what a bill for this request teaches the meter by. */
  readonly restEstimate: number
}

const measures = new WeakMap<View, { readonly context: MeasureContext; readonly measured: MeasuredView }>()

/** How big the next request is. Gauge, trigger, flush, seal and report all use this number. Remembered per view. */
export function measureView(view: View, context: MeasureContext): MeasuredView {
  const known = measures.get(view)
  if (known !== undefined && isSameContext(known.context, context)) return known.measured
  const { environment, model, calibration, estimator } = context
  const around = environment === null ? null : measureEnvironment(environment, estimator)
  const trace = tracePrefix(view.items, { environmentHash: around?.hash ?? '', model, isEdited: view.isEdited })
  const request = { items: view.items, trace, model }
  const reading = readMeter({ ...request, environmentTokens: around?.tokens ?? null, calibration })
  const uncovered = reading.source === 'reported' ? 0 : (around?.tokens ?? 0)
  const measured = { reading, trace, restEstimate: sumRest(request).estimate + uncovered }
  measures.set(view, { context: { environment, model, calibration, estimator }, measured })
  return measured
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
  view.items.forEach((item, index) => {
    tokens += item.tokens - (dropsReasoning[index] === true ? item.reasoningTokens : 0)
  })
  return Math.ceil(tokens * calibration.ratio + calibration.overheadTokens)
}
