import type { Estimator } from '../../tokens/estimate-message.ts'
import { readMeter } from '../../tokens/meter.ts'
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
}

/** How big the next request is. Gauge, trigger, flush, seal and report all use this number. */
export function measureView(view: View, { environment, model, calibration, estimator }: MeasureContext): MeasuredView {
  const around = environment === null ? null : measureEnvironment(environment, estimator)
  const trace = tracePrefix(view.items, { environmentHash: around?.hash ?? '', model, isEdited: view.isEdited })
  const reading = readMeter({ items: view.items, trace, environmentTokens: around?.tokens ?? null, calibration })
  return { reading, trace }
}

/** All of the view by estimate alone: the yardstick for "strictly smaller", where two views are compared. */
export function estimateView(view: View, { environment, calibration, estimator }: MeasureContext): number {
  const around = environment === null ? 0 : measureEnvironment(environment, estimator).tokens
  const tokens = view.items.reduce((sum, item) => sum + item.tokens, around)
  return Math.ceil(tokens * calibration.ratio + calibration.overheadTokens)
}
