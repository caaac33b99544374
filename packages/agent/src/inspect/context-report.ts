import { createView, estimateMessage, measureEnvironment, measureView, renderMessage } from '@longhaul/engine'
import type { ViewItem } from '@longhaul/engine'
import type { ActiveSession } from '../session/active-session.ts'

export type ContextKind =
  | 'system'
  | 'file'
  | 'tools'
  | 'summary'
  | 'pin'
  | 'user'
  | 'assistant'
  | 'tool-call'
  | 'tool-result'

export interface ContextItem {
  readonly id: string
  readonly kind: ContextKind
  readonly label: string
  readonly tokens: number
  readonly chars: number
  readonly state: 'verbatim' | 'soft-trimmed' | 'cleared' | 'summarised' | 'left-out'
}

/** What the next request would hold, item by item, by the one meter. */
export interface ContextReport {
  readonly model: string
  readonly window: number | null
  readonly used: number | null
  readonly source: 'reported' | 'estimated' | 'unknown'
  readonly threshold: number | null
  readonly items: readonly ContextItem[]
}

const LABEL_CHARS = 80

export function reportContext(session: ActiveSession): ContextReport {
  const context = session.context()
  const { policy, environment, limits } = context
  const view = createView(context.state, policy)
  const { reading } = measureView(view, { ...context, estimator: policy.estimator })
  const around = measureEnvironment(environment, policy.estimator).parts.map(
    ({ kind, label, tokens, chars }): ContextItem => ({ id: kind, kind, label, tokens, chars, state: 'verbatim' }),
  )
  return {
    model: session.model(),
    window: limits?.windowTokens ?? null,
    used: reading.tokens,
    source: reading.source,
    threshold: limits?.triggerTokens ?? null,
    items: [...around, ...view.items.flatMap((item) => describeItem(item, policy.estimator))],
  }
}

/** An answer and the calls in it are two things to whoever looks for what takes the space. */
function describeItem(item: ViewItem, estimator: Parameters<typeof estimateMessage>[1]): readonly ContextItem[] {
  const { message, state, id } = item
  const calls = message.parts.filter(({ type }) => type === 'tool-call')
  const rest = message.parts.filter(({ type }) => type !== 'tool-call')
  if (message.role !== 'assistant' || calls.length === 0) {
    const text = renderMessage(message)
    return [{ id, kind: kindOf(item), label: labelOf(text), tokens: item.tokens, chars: text.length, state }]
  }
  const describe = (kind: ContextKind, parts: typeof message.parts): ContextItem => {
    const part = { ...message, parts }
    const text = renderMessage(part)
    return { id, kind, label: labelOf(text), tokens: estimateMessage(part, estimator), chars: text.length, state }
  }
  return [...(rest.length === 0 ? [] : [describe('assistant', rest)]), describe('tool-call', calls)]
}

function kindOf({ kind }: ViewItem): ContextKind {
  switch (kind) {
    case 'tool':
      return 'tool-result'
    case 'acknowledgement':
      return 'assistant'
    case 'summary':
    case 'pin':
    case 'user':
    case 'assistant':
      return kind
    default:
      return kind satisfies never
  }
}

function labelOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= LABEL_CHARS ? line : `${line.slice(0, LABEL_CHARS - 1).toWellFormed()}…`
}
