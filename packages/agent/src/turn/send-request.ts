import {
  createManifest,
  createView,
  findRequestLimit,
  isLossy,
  measureView,
  sealRequest,
} from '@longhaul/engine/advanced'
import type { Anchor, Lesson, Part, PlanNumbers, SealedRequest, Usage } from '@longhaul/engine/advanced'
import type { ModelFailure, ModelFinish } from '@longhaul/models/port'
import { describeError } from '../agent-error.ts'
import type { ActiveSession } from '../session/active-session.ts'
import { findOutputTokens } from '../recovery/request-limits.ts'
import type { RequestLimits } from '../recovery/request-limits.ts'
import type { RequestWatch } from './watch-request.ts'

export interface SendInput {
  readonly turnId: string
  readonly limits: RequestLimits
  readonly numbers: PlanNumbers | null
  readonly watch: RequestWatch
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

/** Seals what the session holds now, explains it in a manifest, sends it and reports what comes back. Stores no entry. */
export async function sendRequest(session: ActiveSession, input: SendInput): Promise<Sent> {
  const { agent, events } = session
  const context = session.context()
  const view = createView(context.state, context.policy)
  const measure = { ...context, estimator: context.policy.estimator }
  const plain = sealRequest({
    view,
    context: measure,
    maxTokens: input.limits.maxTokens ?? findRequestLimit(context.policy, context.limits?.wallTokens ?? null),
    maxBytes: input.limits.maxBytes,
  })
  input.watch(input.turnId, plain)
  if (!plain.fits) return { kind: 'cannot-fit', sealed: plain }
  const prepared = { sealed: plain, view, lesson: measureView(view, measure).lesson }
  const { sealed, lesson, view: shown } = await addRecalled(session, prepared, input.limits)
  const request = session.refusals.refusesReasoning() ? withoutReasoning(sealed) : sealed
  const at = agent.now()
  const number = await session.journal.note(
    createManifest({ number: 0, at, view: shown, sealed: request, numbers: input.numbers }),
  )
  for await (const event of agent.models.stream(
    session.model(),
    {
      request,
      maxOutputTokens: findOutputTokens(session, input.limits, sealed.tokens.tokens),
      toolChoice: input.limits.toolChoice,
      cacheKey: session.id,
      expectedInputTokens: sealed.tokens.tokens,
      // The policy's own cap is no overflow to the endpoint.
      windowTokens: findTrueWindow(session),
      // Only messages that the next step sends again are worth caching.
      stableMessages: sealed.stableMessages ?? request.messages.length,
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

type Prepared = Parameters<ActiveSession['bringBack']>[0]

/** Where room is scarce, or the search fails, the request goes out as it is. */
async function addRecalled(session: ActiveSession, prepared: Prepared, limits: RequestLimits): Promise<Prepared> {
  if (limits.maxTokens !== null || limits.maxBytes !== null) return prepared
  try {
    return await session.bringBack(prepared, session.context())
  } catch (error) {
    const message = `Nothing is brought back: ${describeError(error)}`
    session.agent.log({ level: 'warn', event: 'recall-failed', message })
    return prepared
  }
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
  if (usage === null || sealed.repairs.some(isLossy)) return
  await session.learning.addBill({ reading: sealed.tokens, lesson, usage })
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
