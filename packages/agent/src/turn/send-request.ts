import { createManifest, createView, measureView, sealRequest, storeManifest } from '@longhaul/engine'
import type { Anchor, Manifest, Part, PlanNumbers, SealedRequest, Usage } from '@longhaul/engine'
import type { ModelFailure, ModelFinish } from '@longhaul/models/port'
import type { ActiveSession } from '../session/active-session.ts'

/** How this one request differs from the usual one: what an earlier refusal taught. */
export interface RequestLimits {
  /** The most it may hold; null: what the limits say. */
  readonly maxTokens: number | null
  readonly maxBytes: number | null
  readonly maxOutputTokens: number | null
  readonly toolChoice: 'auto' | 'none'
}

export const USUAL_LIMITS: RequestLimits = {
  maxTokens: null,
  maxBytes: null,
  maxOutputTokens: null,
  toolChoice: 'auto',
}

export interface SendInput {
  readonly turnId: string
  readonly limits: RequestLimits
  readonly numbers: PlanNumbers | null
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
      /** Of what no earlier bill covered: what the endpoint's own count of this request teaches the meter by. */
      readonly restEstimate: number
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
  if (!sealed.fits) return { kind: 'cannot-fit', sealed }
  const request = session.refusesReasoning() ? withoutReasoning(sealed) : sealed
  const { restEstimate } = measureView(view, measure)
  const number = await explain(session, input, sealed)
  const maxOutputTokens =
    input.limits.maxOutputTokens ??
    context.limits?.outputTokens ??
    agent.models.describe(session.model()).maxOutput ??
    DEFAULT_OUTPUT_TOKENS

  for await (const event of agent.models.stream(
    session.model(),
    {
      request,
      maxOutputTokens,
      toolChoice: input.limits.toolChoice,
      cacheKey: session.id,
      expectedInputTokens: sealed.tokens.tokens,
      windowTokens: context.limits?.windowTokens ?? null,
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
        await settle(session, number, usage, finish)
        if (usage !== null) reportUsage(session, input.turnId, usage)
        await learn(session, sealed, restEstimate, usage)
        return { kind: 'answered', finish, parts, usage, anchor: sealed.anchor }
      }
      case 'failure': {
        await settle(session, number, event.usage, event.failure.kind)
        return { kind: 'failed', failure: event.failure, parts: event.parts, usage: event.usage, sealed, restEstimate }
      }
      default:
        event satisfies never
    }
  }
  throw new Error('The model stream ended without a result.')
}

const lastManifests = new WeakMap<ActiveSession, Manifest>()

/** Manifests explain; a store that cannot take one holds nothing up. */
async function explain(session: ActiveSession, { numbers }: SendInput, sealed: SealedRequest): Promise<number | null> {
  const { store, now } = session.agent
  const context = session.context()
  try {
    const previous = lastManifests.get(session) ?? (await store.requests.getLast(session.id))?.manifest ?? null
    const manifest = createManifest({
      number: (previous?.number ?? 0) + 1,
      at: now(),
      view: createView(context.state, context.policy),
      sealed,
      numbers,
    })
    await store.requests.add(session.id, storeManifest(manifest, previous))
    lastManifests.set(session, manifest)
    return manifest.number
  } catch (error) {
    session.agent.log({ level: 'warn', event: 'manifest-lost', message: `No manifest was stored: ${String(error)}` })
    return null
  }
}

async function settle(
  session: ActiveSession,
  number: number | null,
  usage: Usage | null,
  result: string,
): Promise<void> {
  if (number === null) return
  const outcome = usage === null ? { result } : { result, usage: { ...usage } }
  try {
    await session.agent.store.requests.settle(session.id, number, outcome)
  } catch (error) {
    session.agent.log({ level: 'warn', event: 'manifest-lost', message: `A bill was not noted: ${String(error)}` })
  }
}

/** A request that had to be cut was not what was measured: its bill teaches nothing. */
async function learn(
  session: ActiveSession,
  sealed: SealedRequest,
  restEstimate: number,
  usage: Usage | null,
): Promise<void> {
  if (usage === null || sealed.repairs.some(({ kind }) => LOSSY.has(kind))) return
  await session.learning.addBill({ reading: sealed.tokens, restEstimate, usage })
}

const LOSSY: ReadonlySet<string> = new Set(['media-left-out', 'result-left-out', 'message-left-out', 'text-cut'])

function reportRepairs(session: ActiveSession, { repairs }: SealedRequest): void {
  for (const { kind, detail } of repairs) {
    if (LOSSY.has(kind)) session.agent.log({ level: 'warn', event: 'request-cut', message: `${kind}: ${detail}` })
  }
}

function reportUsage(session: ActiveSession, turnId: string, usage: Usage): void {
  const { input, output, cacheRead = 0, cacheWrite = 0, costUsd } = usage
  session.events.emit(turnId, { type: 'usage', input, output, cacheRead, cacheWrite, cost: costUsd ?? null })
}

function withoutReasoning(sealed: SealedRequest): SealedRequest {
  const messages = sealed.messages.map((message) => ({
    ...message,
    parts: message.parts.filter(({ type }) => type !== 'reasoning'),
  }))
  return { ...sealed, messages: messages.filter(({ parts }) => parts.length > 0) }
}
