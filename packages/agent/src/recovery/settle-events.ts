import type { Failure, JsonObject } from '@longhaul/engine/advanced'
import type { Store } from '@longhaul/store/port'
import type { ActiveSession } from '../session/active-session.ts'
import { listMessages } from '../session/list-messages.ts'
import { textOfParts } from '../session/text-of-parts.ts'

/** What an owner says last before it vanishes lies within these. */
const TAIL_EVENTS = 200

/** What was told of a session last. */
export async function readLastEvents({ events }: Pick<Store, 'events'>, sessionId: string): Promise<ToldEvents> {
  const lastId = await events.getLastId(sessionId)
  if (lastId === 0) return []
  const stored = await events.read(sessionId, Math.max(0, lastId - TAIL_EVENTS), TAIL_EVENTS)
  return stored.map(({ event }) => event)
}

type ToldEvents = readonly JsonObject[]

/**
 * Whoever followed the owner before heard no end: what it had begun to tell is ended, and an answer that it stored but
 * did not announce is announced.
 */
export function settleEvents(session: ActiveSession, told: ToldEvents): void {
  endMaintenance(session, told)
  takeBackHalfAnswer(session, told)
  announceAnswer(session, told)
}

/** It was told in part and is not stored: it will be told from its start again. */
function takeBackHalfAnswer({ events, owed }: ActiveSession, told: ToldEvents): void {
  const last = told.findLast(({ type }) => ENDS_OR_BEGINS_ANSWER.has(type))
  if (last === undefined || !String(last['type']).endsWith('-delta') || owed() === null) return
  events.emit(turnOf(last), { type: 'retry', attempt: 1, reason: 'interrupted' })
}

const ENDS_OR_BEGINS_ANSWER: ReadonlySet<unknown> = new Set([
  'text-delta',
  'reasoning-delta',
  'tool-call',
  'retry',
  'response-complete',
  'error',
  'done',
])

function endMaintenance({ events }: ActiveSession, told: ToldEvents): void {
  const flush = findOpen(told, 'flush-started', 'flush-completed')
  if (flush !== null) events.emit(turnOf(flush), { type: 'flush-completed', wrote: false })
  const compaction = findOpen(told, 'compact-started', 'compact-completed')
  if (compaction === null) return
  const tokens = Number(compaction['tokens'] ?? 0)
  events.emit(turnOf(compaction), {
    type: 'compact-completed',
    didCompact: false,
    fallback: null,
    tokensBefore: tokens,
    tokensAfter: tokens,
    score: null,
  })
}

function findOpen(told: ToldEvents, start: string, end: string): JsonObject | null {
  const last = told.findLast(({ type }) => type === start || type === end)
  return last?.['type'] === start ? last : null
}

function turnOf({ turnId }: JsonObject): string | null {
  return typeof turnId === 'string' ? turnId : null
}

/** Of the last turn alone: those before it ended before it began. */
function announceAnswer({ events, log, owed }: ActiveSession, told: ToldEvents): void {
  const items = listMessages(log.state())
  const turnId = items.findLast(({ entry }) => entry.role === 'user')?.entry.id
  const answer = items.at(-1)?.entry
  if (turnId === undefined || answer?.role !== 'assistant' || owed() !== null) return
  const types = new Set(told.flatMap((event) => (event['turnId'] === turnId ? [event['type']] : [])))
  // Nothing at all: it was long ago, and nobody follows it any more.
  if (types.size === 0 || types.has('done')) return
  const isWhole = answer.finish !== 'error' && answer.finish !== 'aborted'
  if (isWhole && !types.has('response-complete')) {
    events.emit(turnId, { type: 'response-complete', id: answer.id, text: textOfParts(answer.parts) })
  }
  if (answer.finish === 'error' && !types.has('error')) {
    const { code, message } = answer.failure ?? UNTOLD
    events.emit(turnId, { type: 'error', code, message })
  }
  events.emit(turnId, { type: 'done' })
}

/** Transcripts of other programs, and of versions that kept no reason. */
const UNTOLD: Failure = {
  code: 'internal',
  message: 'This turn failed, and the program ended before it could say why. The log may say more.',
}
