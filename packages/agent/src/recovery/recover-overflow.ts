import type { Lesson, Patience, SealedRequest } from '@longhaul/engine/advanced'
import type { ModelFailure } from '@longhaul/models/port'
import type { Maintenance } from '../maintenance/create-maintenance.ts'
import { findOutputTokens } from './request-limits.ts'
import type { RequestLimits } from './request-limits.ts'

export interface RefusedRequest {
  readonly signal: AbortSignal
  /** The time that this turn may still wait. */
  readonly patience: Patience
  /** Aborted when somebody else waits behind this turn. */
  readonly hurry?: AbortSignal | undefined
  /** How often this request was refused before. */
  readonly refusals: number
  readonly limits: RequestLimits
  readonly sent: {
    readonly failure: ModelFailure
    readonly sealed: SealedRequest
    /** How the endpoint's own count of this request teaches the meter. */
    readonly lesson: Lesson
  }
}

const GUESS_SHARE = 0.8
/** In all. Each of the later ones halves what is sent, so this is far more than a session needs. */
const MAX_REFUSALS = 8

/**
 * What to do about a request that the provider would not take, so that the same turn can be tried again: the limits for
 * the next try, or null where no smaller request helps.
 */
export async function recover(maintenance: Maintenance, refused: RefusedRequest): Promise<RequestLimits | null> {
  const { session } = maintenance
  const { failure } = refused.sent
  if (refused.refusals >= MAX_REFUSALS) return null
  if (failure.kind === 'input-overflow') return recoverInput(maintenance, refused)
  if (failure.kind === 'output-overflow') return lowerOutput(maintenance, refused)
  if (failure.kind === 'request-too-large') {
    const maxBytes = Math.floor((refused.limits.maxBytes ?? refused.sent.sealed.bytes) / 2)
    session.refusals.noteLimits({ maxBytes })
    return { ...refused.limits, maxBytes }
  }
  if (failure.kind === 'thinking-binding' && !session.refusals.refusesReasoning()) {
    session.refusals.noteReasoning()
    return refused.limits
  }
  return null
}

/** Learns from the refusal and makes room; where nothing is left that could go, the seal cuts inside the messages. */
async function recoverInput(maintenance: Maintenance, refused: RefusedRequest): Promise<RequestLimits> {
  const { sent, signal, patience, hurry, refusals, limits } = refused
  const tokensBefore = sent.sealed.tokens.tokens ?? 0
  await learnFrom(maintenance, sent)
  if (await maintenance.driver.makeRoom({ signal, patience, hurry, refusals, tokensBefore })) return limits
  return { ...limits, maxTokens: Math.max(1, Math.floor((limits.maxTokens ?? tokensBefore) / 2)) }
}

/** The endpoint's own numbers correct ours: how big the window is, and how big this request was. */
async function learnFrom({ session }: Maintenance, { failure, sealed, lesson }: RefusedRequest['sent']): Promise<void> {
  const { actual = null, limit = null } = failure.tokens ?? {}
  const { tokens, source } = sealed.tokens
  // An endpoint that does not say: where its own bills tell how big the request was, or nobody knew the window anyway,
  // somewhat less than what it refused is a start. What was only estimated may be our mistake, and teaches nothing.
  const isTelling = source === 'reported' || session.limits() === null
  if (limit !== null) await session.learning.addWindow(limit)
  else if (isTelling) await session.learning.addWindow(Math.floor((tokens ?? 0) * GUESS_SHARE))
  if (actual !== null) await session.learning.addBill({ reading: sealed.tokens, lesson, usage: { input: actual } })
}

const MIN_OUTPUT_TOKENS = 256

/** By the room that this request leaves; where there should be enough by our count, that is off, and will be again. */
function lowerOutput({ session }: Maintenance, { limits, sent }: RefusedRequest): RequestLimits {
  const current = findOutputTokens(session, limits, sent.sealed.tokens.tokens)
  const room = (sent.failure.tokens?.limit ?? 0) - (sent.sealed.tokens.tokens ?? 0)
  if (room > MIN_OUTPUT_TOKENS && room < current) return { ...limits, maxOutputTokens: room }
  const maxOutputTokens = Math.max(MIN_OUTPUT_TOKENS, Math.floor(current / 2))
  session.refusals.noteLimits({ maxOutputTokens })
  return { ...limits, maxOutputTokens }
}
