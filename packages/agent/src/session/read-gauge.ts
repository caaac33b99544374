import { createView, measureView } from '@longhaul/engine'
import type { SessionContext } from '@longhaul/engine'

export interface Gauge {
  readonly tokens: number | null
  readonly percent: number | null
  readonly source: 'reported' | 'estimated' | 'unknown'
}

/** How full the context is, by the one meter. */
export function readGauge(context: SessionContext): Gauge {
  const view = createView(context.state, context.policy)
  const { reading } = measureView(view, { ...context, estimator: context.policy.estimator })
  const { tokens, source } = reading
  const window = context.limits?.windowTokens ?? null
  return { tokens, source, percent: tokens === null || window === null ? null : (tokens / window) * 100 }
}
