import type { AgentEvent } from '@longhaul/runtime'
import { formatNumber } from '../terminal/format.ts'
import { describeCall } from './describe-call.ts'

/** What happens around a reply, in one line; null for what is not worth one. */
export function describeEvent(event: AgentEvent, isVerbose: boolean): string | null {
  switch (event.type) {
    case 'queued':
      return `Waiting: ${event.position - 1} before it.`
    case 'tool-call':
      return `→ ${describeCall(event.name, event.input)}`
    case 'approval-settled':
      return event.by === 'person' ? null : `${event.name} was not allowed: ${WHY[event.by]}.`
    case 'tool-result':
      return event.isError ? `← ${event.name} failed: ${event.output.split('\n')[0] ?? ''}` : null
    case 'flush-started':
      return isVerbose ? 'Saving what must last…' : null
    case 'compact-started':
      return COMPACTING
    case 'compact-completed':
      return describeCompleted(event, isVerbose)
    case 'context-trimmed':
      return event.message
    case 'context-warning':
      return event.message ?? `The context is ${Math.round(event.percent)}% full.`
    case 'retry':
      return `Trying again (${event.attempt}): ${event.reason}`
    case 'error':
      return isVerbose ? `error ${event.code}` : null
    case 'message-stored':
    case 'text-delta':
    case 'reasoning-delta':
    case 'approval-needed':
    case 'flush-completed':
    case 'usage':
    case 'response-complete':
    case 'request-settled':
    case 'titled':
    case 'entries-added':
    case 'done':
      return null
    default:
      return event satisfies never
  }
}

/** ONE-17, in its own words. */
export const COMPACTING = 'Optimizing conversation context…'

const WHY = { 'time-out': 'nobody answered in time', cancel: 'the turn was cancelled', person: 'by you' } as const

type Completed = Extract<AgentEvent, { readonly type: 'compact-completed' }>

/** OPEN-16, in its own words. */
export function describeCompleted(
  { didCompact, tokensBefore, tokensAfter }: Completed,
  isVerbose: boolean,
): string | null {
  if (!isVerbose) return null
  return didCompact
    ? `🧹 Auto-compaction complete: ${formatNumber(tokensBefore)} → ${formatNumber(tokensAfter)} tokens`
    : 'There was no compaction; the conversation goes on as it is.'
}
