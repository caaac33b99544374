import type { Part, SealedMessage, ToolSchema } from '@longhaul/engine/advanced'
import type { ModelCall } from '../port/model-call.ts'
import type { ModelEvent } from '../port/model-event.ts'
import type { Clock } from '../stream/clock.ts'

type FinishEvent = Extract<ModelEvent, { type: 'finish' }>
type FailureEvent = Extract<ModelEvent, { type: 'failure' }>

/** A call with one message of the user, or with the given ones. */
export function createCall(messages: string | readonly SealedMessage[], more: Partial<ModelCall> = {}): ModelCall {
  const sealed = typeof messages === 'string' ? [message('user', text(messages))] : messages
  return { request: { system: 'Be brief.', messages: sealed, tools: [READ_TOOL] }, maxOutputTokens: 500, ...more }
}

export const READ_TOOL: ToolSchema = {
  name: 'read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

export function message(role: SealedMessage['role'], ...parts: readonly Part[]): SealedMessage {
  return { role, parts }
}

export function text(words: string): Part {
  return { type: 'text', text: words }
}

export async function collect(events: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  return Array.fromAsync(events)
}

/** The last event, which must be `finish`. */
export function finishOf(events: readonly ModelEvent[]): FinishEvent {
  const last = events.at(-1)
  if (last?.type !== 'finish') throw new Error(`expected finish, got ${JSON.stringify(last)}`)
  return last
}

/** The last event, which must be `failure`. */
export function failureOf(events: readonly ModelEvent[]): FailureEvent {
  const last = events.at(-1)
  if (last?.type !== 'failure') throw new Error(`expected failure, got ${JSON.stringify(last)}`)
  return last
}

/** Time that runs so many times faster: a wait of seconds is over in milliseconds, and real servers can be used. */
export function createFastClock(times: number): Clock {
  return {
    now: () => performance.now() * times,
    setTimer: (ms, run) => {
      const timer = setTimeout(run, ms / times)
      return () => clearTimeout(timer)
    },
  }
}
