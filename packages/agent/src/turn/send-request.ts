import { createManifest, createView, measureView, sealRequest } from '@longhaul/engine'
import type { Anchor, Lesson, Part, PlanNumbers, SealedRequest, Usage } from '@longhaul/engine'
import type { ModelFailure, ModelFinish } from '@longhaul/models/port'
import type { ActiveSession } from '../session/active-session.ts'
import type { RefusedLimits } from '../session/refusals.ts'
import type { PinWatch } from './watch-pins.ts'

/** How this one request differs from the usual one: what earlier refusals taught. */
export interface RequestLimits extends RefusedLimits {
  /** The most it may hold; null: what the limits say. */
  readonly maxTokens: number | null
  readonly toolChoice: 'auto' | 'none'
}

export interface SendInput {
  readonly turnId: string
  readonly limits: RequestLimits
  readonly numbers: PlanNumbers | null
  readonly watchPins: PinWatch
  readonly signal: AbortSignal
}

export type Sent =
  | {
      readonly kind: 'answered'
      readonly finish: ModelFinish
      readonly parts: readonly Part[]
      readonly usage: Usage | null
      readonly anchor: Anchor
    }
  | {
      readonly kind: 'failed'
      readonly failure: ModelFailure
      readonly parts: readonly Part[]
      readonly usage: Usage | null
      readonly sealed: SealedRequest
      /** What the endpoint's own count of this request teaches the meter by. */
      readonly lesson: Lesson
    }
  /** Not sent: what cannot be left out is too large. */
  | { readonly kind: 'cannot-fit'; readonly sealed: SealedRequest }

/** Used where nobody knows how much a model can answer. */
const DEFAULT_OUTPUT_TOKENS = 4_096

/** Seals what the session holds now, explains it in a manifest, sends it and reports what comes back. Stores no entry. */
export async function sendRequest(session: ActiveSession, input: SendInput): Promise<Sent> {
  const { agent, events } = session
  const context = session.context()
  const view = createView(context.state, context.policy)
  const measure = { ...context, estimator: context.policy.estimator }
  const sealed = sealRequest({
    view,
    context: measure,
    maxTokens: input.limits.maxTokens ?? context.limits?.inputTokens ?? null,
    maxBytes: input.limits.maxBytes,
  })
  reportRepairs(session, sealed)
  input.watchPins(input.turnId, sealed)
  if (!sealed.fits) return { kind: 'cannot-fit', sealed }
  const request = session.refusals.refusesReasoning() ? withoutReasoning(sealed) : sealed
  const { lesson } = measureView(view, measure)
  const at = agent.now()
  const number = await session.journal.note(
    createManifest({ number: 0, at, view, sealed: request, numbers: input.numbers }),
  )
  for await (const event of agent.models.stream(
    session.model(),
    {
      request,
      maxOutputTokens: findOutputTokens(session, input.limits),
      toolChoice: input.limits.toolChoice,
      cacheKey: session.id,
      expectedInputTokens: sealed.tokens.tokens,
      // The policy's own cap is no overflow to the endpoint.
      windowTokens: findTrueWindow(session),
      // All of it is sent again at the next step, so all of it is worth caching.
      stableMessages: request.messages.length,
    },
    input.signal,
  )) {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        events.emit(input.turnId, event)
        break
      case 'tool-call':
        events.emit(input.turnId, {
          type: 'tool-call',
          id: event.call.toolCallId,
          name: event.call.toolName,
          input: event.call.input,
        })
        break
      case 'retry':
        events.emit(input.turnId, { type: 'retry', attempt: event.attempt, reason: event.reason })
        break
      case 'finish': {
        const { finish, parts, usage } = event
        session.journal.settle(number, finish, usage)
        if (usage !== null) reportUsage(session, input.turnId, usage)
        await learn(session, sealed, lesson, usage)
        return { kind: 'answered', finish, parts, usage, anchor: sealed.anchor }
      }
      case 'failure': {
        session.journal.settle(number, event.failure.kind, event.usage)
        return { kind: 'failed', failure: event.failure, parts: event.parts, usage: event.usage, sealed, lesson }
      }
      default:
        event satisfies never
    }
  }
  throw new Error('The model stream ended without a result.')
}

/** How much the model may answer. */
export function findOutputTokens(session: ActiveSession, { maxOutputTokens }: RequestLimits): number {
  const { maxOutput } = session.agent.models.describe(session.model())
  return maxOutputTokens ?? session.limits()?.outputTokens ?? maxOutput ?? DEFAULT_OUTPUT_TOKENS
}

/** What the model takes, as far as anybody knows. */
function findTrueWindow({ agent, learning, model }: ActiveSession): number | null {
  const { registry, override } = agent.models.windowOf(model())
  const stated = override === undefined ? registry : override
  const learnt = learning.windowTokens()
  if (stated === null || learnt === null) return stated ?? learnt
  return Math.min(stated, learnt)
}

/** A request that had to be cut was not what was measured: its bill teaches nothing. */
async function learn(
  session: ActiveSession,
  sealed: SealedRequest,
  lesson: Lesson,
  usage: Usage | null,
): Promise<void> {
  if (usage === null || sealed.repairs.some(({ kind }) => LOSSY.has(kind))) return
  await session.learning.addBill({ reading: sealed.tokens, lesson, usage })
}

const LOSSY: ReadonlySet<string> = new Set(['media-left-out', 'result-left-out', 'message-left-out', 'text-cut'])

function reportRepairs(session: ActiveSession, { repairs }: SealedRequest): void {
  for (const { kind, detail } of repairs) {
    if (LOSSY.has(kind)) session.agent.log({ level: 'warn', event: 'request-cut', message: `${kind}: ${detail}` })
  }
}

export function reportUsage(session: ActiveSession, turnId: string, usage: Usage): void {
  const { input, output, cacheRead = 0, cacheWrite = 0, costUsd } = usage
  session.events.emit(turnId, { type: 'usage', input, output, cacheRead, cacheWrite, cost: costUsd ?? null })
}

/** No seal of the same view gives these bytes, so their hash is another as well. */
function withoutReasoning(sealed: SealedRequest): SealedRequest {
  const messages = sealed.messages.map((message) => ({
    ...message,
    parts: message.parts.filter(({ type }) => type !== 'reasoning'),
  }))
  return {
    ...sealed,
    messages: messages.filter(({ parts }) => parts.length > 0),
    bytesHash: `${sealed.bytesHash}-without-reasoning`,
    repairs: [...sealed.repairs, { kind: 'reasoning-dropped', detail: 'all of it: the provider refuses it' }],
  }
}
