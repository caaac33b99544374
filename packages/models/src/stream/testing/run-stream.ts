import { getEventListeners } from 'node:events'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Part, SealedMessage, Usage } from '@longhaul/engine/advanced'
import { createErrorClassifier } from '../../overflow/create-error-classifier.ts'
import type { ModelCall } from '../../port/model-call.ts'
import type { ModelEvent } from '../../port/model-event.ts'
import { compatibleDialect } from '../prompt/dialect.ts'
import type { Dialect } from '../prompt/dialect.ts'
import { streamCall } from '../stream-call.ts'
import { createVirtualClock } from './virtual-clock.ts'
import type { VirtualClock } from './virtual-clock.ts'

const DIALECT: Dialect = compatibleDialect('scripted')

export interface StreamRun {
  readonly call?: Partial<ModelCall>
  readonly signal?: AbortSignal
  readonly clock?: VirtualClock
  readonly dialect?: Dialect
  readonly prepare?: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions
  readonly priceOf?: (usage: Usage) => number | null
  readonly redact?: (text: string) => string
  readonly random?: () => number
}

export function text(words: string): Part {
  return { type: 'text', text: words }
}

export function said(role: SealedMessage['role'], ...parts: readonly (string | Part)[]): SealedMessage {
  return { role, parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)) }
}

export function createCall(call: Partial<ModelCall> = {}): ModelCall {
  return { request: { system: null, messages: [said('user', 'Hello.')], tools: [] }, maxOutputTokens: 1_000, ...call }
}

/** Opens a call with everything it needs. */
export function openStream(model: LanguageModelV4, run: StreamRun = {}): AsyncIterable<ModelEvent> {
  return streamCall({
    model,
    dialect: run.dialect ?? DIALECT,
    call: createCall(run.call),
    signal: run.signal ?? new AbortController().signal,
    prepare: run.prepare ?? ((options) => options),
    classify: createErrorClassifier(),
    priceOf: run.priceOf ?? (() => null),
    redact: run.redact ?? ((words) => words),
    clock: run.clock ?? createVirtualClock(),
    random: run.random ?? (() => 0.5),
  })
}

export type Terminal = Extract<ModelEvent, { type: 'finish' | 'failure' }>

export interface Seen {
  readonly events: readonly ModelEvent[]
  readonly last: Terminal
}

/** Reads a call to its end. Throws where it does not end in exactly one `finish` or `failure`, or leaves anything behind. */
export async function readStream(model: LanguageModelV4, run: StreamRun = {}): Promise<Seen> {
  const clock = run.clock ?? createVirtualClock()
  const signal = run.signal ?? new AbortController().signal
  const events: ModelEvent[] = []
  for await (const event of openStream(model, { ...run, clock, signal })) events.push(event)
  const terminals = events.filter(isTerminal)
  const last = terminals.at(-1)
  if (last === undefined || terminals.length !== 1 || events.at(-1) !== last) {
    throw new Error(`not one ending, at the end: ${events.map(({ type }) => type).join(' ')}`)
  }
  if (getEventListeners(signal, 'abort').length > 0) throw new Error('a listener is left')
  if (clock.pending() > 0) throw new Error('a timer is left')
  return { events, last }
}

function isTerminal(event: ModelEvent): event is Terminal {
  return event.type === 'finish' || event.type === 'failure'
}
