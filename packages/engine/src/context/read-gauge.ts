import type { SessionContext } from '../request/plan/session-context.ts'
import { measureView } from '../request/view/measure-view.ts'
import { createView } from '../request/view/view.ts'

/** How full a context is. */
export interface Gauge {
  /** null: nobody knows. */
  readonly tokens: number | null
  readonly source: 'reported' | 'estimated' | 'unknown'
  readonly windowTokens: number | null
  /** The share of the window that is used. */
  readonly percent: number | null
}

/** Reads the one meter. */
export function readGauge(context: SessionContext): Gauge {
  const view = createView(context.state, context.policy)
  const { reading } = measureView(view, { ...context, estimator: context.policy.estimator })
  const { tokens, source } = reading
  const windowTokens = context.limits?.windowTokens ?? null
  const percent = tokens === null || windowTokens === null ? null : (tokens / windowTokens) * 100
  return { tokens, source, windowTokens, percent }
}
