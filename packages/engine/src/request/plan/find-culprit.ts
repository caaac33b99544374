import { estimateMessage } from '../../tokens/estimate-message.ts'
import { measureEnvironment } from '../view/environment.ts'
import { contextItems } from './session-context.ts'
import type { SessionContext } from './session-context.ts'

/** The largest part of a request that can never fit. */
export interface Culprit {
  readonly kind: 'system' | 'file' | 'tools' | 'message'
  readonly label: string
  readonly tokens: number
  /** What all parts that cannot be left out come to, and what there is room for. */
  readonly neededTokens: number
  readonly inputTokens: number
}

/** System prompt, tools and the newest message cannot be summarised: if they alone are too large, no compaction helps, and the user is told at once. */
export function findCulprit({ state, policy, limits, environment, calibration }: SessionContext): Culprit | null {
  if (limits === null) return null
  const { ratio, overheadTokens } = calibration
  const newest = contextItems(state).findLast((item) => item.message.role === 'user')
  const parts: Pick<Culprit, 'kind' | 'label' | 'tokens'>[] = measureEnvironment(
    environment,
    policy.estimator,
  ).parts.map(({ kind, label, tokens }) => ({ kind, label, tokens }))
  if (newest !== undefined) {
    parts.push({ kind: 'message', label: 'your message', tokens: estimateMessage(newest.message, policy.estimator) })
  }
  const neededTokens = Math.ceil(parts.reduce((sum, part) => sum + part.tokens, 0) * ratio + overheadTokens)
  if (neededTokens <= limits.inputTokens) return null
  const largest = parts.reduce((a, b) => (b.tokens > a.tokens ? b : a), {
    kind: 'message',
    label: 'your message',
    tokens: 0,
  })
  return { ...largest, tokens: Math.ceil(largest.tokens * ratio), neededTokens, inputTokens: limits.inputTokens }
}
