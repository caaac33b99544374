import { createView, readGauge } from '@longhaul/engine/advanced'
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
  const { tokens, source, windowTokens } = readGauge(context)
  return {
    model,
    window: windowTokens,
    used: tokens,
    source,
    threshold: context.limits?.triggerTokens ?? null,
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
