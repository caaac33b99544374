import type { UIMessageChunk } from 'ai'
import type { AgentEvent } from '@longhaul/runtime'

/** Turns the events of one turn into chunks of the AI SDK's UI message stream. */
export interface UiChunks {
  /** What to send first. */
  start(): UIMessageChunk[]
  next(event: AgentEvent): UIMessageChunk[]
  /** What to send last. */
  end(): UIMessageChunk[]
}

/** Worth keeping with the message; all else is told in passing (`onData`). */
const LASTING: ReadonlySet<AgentEvent['type']> = new Set(['usage', 'compact-completed', 'context-trimmed', 'retry'])

export function createUiChunks(turnId: string): UiChunks {
  let open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | null = null
  let isInStep = false
  let [hasResults, hasText] = [false, false]
  let parts = 0

  function close(): UIMessageChunk[] {
    if (open === null) return []
    const { kind, id } = open
    open = null
    return [{ type: `${kind}-end`, id }]
  }

  function endStep(): UIMessageChunk[] {
    if (!isInStep) return []
    isInStep = false
    return [...close(), { type: 'finish-step' }]
  }

  /** What a model says after the results of its tools is its next step. */
  function enterStep(): UIMessageChunk[] {
    const ended = hasResults ? endStep() : []
    hasResults = false
    if (isInStep) return ended
    isInStep = true
    return [...ended, { type: 'start-step' }]
  }

  function write(kind: 'text' | 'reasoning', delta: string): UIMessageChunk[] {
    const chunks = enterStep()
    if (open?.kind !== kind) {
      chunks.push(...close())
      parts += 1
      open = { kind, id: `${kind}-${parts}` }
      chunks.push({ type: `${kind}-start`, id: open.id })
    }
    return [...chunks, { type: `${kind}-delta`, id: open.id, delta }]
  }

  function next(event: AgentEvent): UIMessageChunk[] {
    switch (event.type) {
      case 'text-delta':
        hasText = true
        return write('text', event.text)
      case 'reasoning-delta':
        return write('reasoning', event.text)
      case 'tool-call':
        hasText = false
        return [...enterStep(), ...close(), readCall(event)]
      case 'tool-result':
        hasResults = true
        return [readResult(event)]
      case 'response-complete':
        // A turn that is told again from the transcript has no deltas.
        return hasText || event.text === '' ? close() : [...write('text', event.text), ...close()]
      case 'error':
        return [...endStep(), toData(event), { type: 'error', errorText: event.message }]
      case 'retry':
        // The stream can take nothing back: it says in place that what stands before it in this step is void.
        hasText = false
        return [...enterStep(), ...close(), toData(event)]
      case 'done':
        return []
      case 'message-stored':
      case 'queued':
      case 'approval-needed':
      case 'approval-settled':
      case 'flush-started':
      case 'flush-completed':
      case 'compact-started':
      case 'compact-completed':
      case 'context-trimmed':
      case 'context-warning':
      case 'usage':
      case 'request-settled':
      case 'titled':
      case 'entries-added':
        return [toData(event)]
      default:
        return event satisfies never
    }
  }

  return {
    start: () => [{ type: 'start', messageId: `${turnId}-answer` }],
    next,
    end: () => [...endStep(), { type: 'finish' }],
  }
}

function readCall({ id, name, input }: Extract<AgentEvent, { type: 'tool-call' }>): UIMessageChunk {
  return { type: 'tool-input-available', toolCallId: id, toolName: name, input, dynamic: true }
}

function readResult({ id, output, isError }: Extract<AgentEvent, { type: 'tool-result' }>): UIMessageChunk {
  return isError
    ? { type: 'tool-output-error', toolCallId: id, errorText: output, dynamic: true }
    : { type: 'tool-output-available', toolCallId: id, output, dynamic: true }
}

/** Every other event rides along under its own name: `data-compact-started`, `data-usage` … */
function toData({ type, turnId: _turnId, ...data }: AgentEvent): UIMessageChunk {
  return { type: `data-${type}`, data, ...(LASTING.has(type) ? {} : { transient: true }) }
}
