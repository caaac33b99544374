import { createView, measureView } from '@longhaul/engine/advanced'
import type { SessionView } from '../session/session-view.ts'
import { describeEnvironment, describeLeftOutTools, describeMessage } from './context-item.ts'
import type { ContextItem, ContextItemWithText } from './context-item.ts'

/** What the next request would hold, item by item, by the one meter. */
export interface ContextReport {
  readonly model: string
  readonly window: number | null
  readonly used: number | null
  readonly source: 'reported' | 'estimated' | 'unknown'
  readonly threshold: number | null
  readonly items: readonly ContextItem[]
}

export function reportContext(session: SessionView): ContextReport {
  const { context, model } = session
  const { policy, limits, state } = context
  const { reading } = measureView(createView(state, policy), { ...context, estimator: policy.estimator })
  return {
    model,
    window: limits?.windowTokens ?? null,
    used: reading.tokens,
    source: reading.source,
    threshold: limits?.triggerTokens ?? null,
    items: listItems(session).map(({ text: _text, ...item }) => item),
  }
}

/** The words of one item of the report, as the model would see them; null: there is no such item now. */
export function readContextItem(
  session: SessionView,
  itemId: string,
): Pick<ContextItemWithText, 'text' | 'state'> | null {
  const item = listItems(session).find(({ id }) => id === itemId)
  return item === undefined ? null : { text: item.text, state: item.state }
}

function listItems({ context, leftOutTools }: SessionView): readonly ContextItemWithText[] {
  const { policy, environment, state } = context
  const { estimator } = policy
  return [
    ...describeEnvironment(environment, estimator),
    ...leftOutTools.map(describeLeftOutTools),
    ...createView(state, policy).items.flatMap((item) => describeMessage(item, estimator)),
  ]
}
