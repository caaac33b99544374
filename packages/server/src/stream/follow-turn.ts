import { TICK, nextOrTick, toAgentError } from '@longhaul/runtime'
import type { Failure, FollowedEvent, JsonObject, MessageEntry, StoredEvent } from '@longhaul/runtime'
import type { ServerContext } from '../server-context.ts'
import type { NumberedEvent } from './event-stream.ts'
import { findTurnEnd } from './turn-end.ts'
import type { TurnEnd } from './turn-end.ts'

export interface TurnToFollow {
  readonly sessionId: string
  /** Of the user's message. */
  readonly id: string
  /** Where its events begin. */
  readonly after: number
  /** Its place in line, for a message that waits and was sent before. */
  readonly queuedAt?: number
}

/** Events may have been lost with a process or deleted by retention: so often the transcript is asked instead. */
const LOOK_MS = 5_000
const FIRST_LOOK_MS = 250
/** An answered turn whose owner says nothing for this long has nothing more to say. */
const QUIET_MS = 120_000
/** An answer is announced as soon as it is stored: one that was not by now has lost its event, or its event has no room. */
const UNTOLD_MS = 3_000

/**
 * The events of one turn from `message-stored` to `done`, and what is done beside it meanwhile. A turn that is over is
 * told again: from its events while they are kept, then from the transcript.
 */
export async function* followTurn(
  server: Pick<ServerContext, 'runtime' | 'follower' | 'followedTurns'>,
  turn: TurnToFollow,
  signal: AbortSignal,
): AsyncGenerator<NumberedEvent> {
  const { sessionId, id, after, queuedAt } = turn
  const leaving = new AbortController()
  const leave = (): void => leaving.abort()
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  const events = server.follower.follow(sessionId, { after, signal: leaving.signal })
  const told = { last: after, hasAnswer: false }
  server.followedTurns.add(turn)
  try {
    // Stored before it got here; told at once, so that nothing can come before it.
    yield { id: after, event: { turnId: id, type: 'message-stored', id } }
    if (queuedAt !== undefined) yield { id: after, event: { turnId: id, type: 'queued', position: queuedAt } }
    let quietSince = performance.now()
    let lookMs = FIRST_LOOK_MS
    let next: Promise<IteratorResult<FollowedEvent>> | null = null
    for (;;) {
      next ??= events.next()
      const result = await nextOrTick(next, lookMs)
      if (result === TICK) {
        lookMs = LOOK_MS
        const quietMs = performance.now() - quietSince
        const end = await findOver(server, turn, quietMs > (told.hasAnswer ? QUIET_MS : UNTOLD_MS))
        if (end !== null) {
          yield* tellEnd(id, end, told)
          return
        }
        continue
      }
      if (result.done === true) return
      next = null
      quietSince = performance.now()
      const { value } = result
      if (value.isUnstored === true) {
        yield* tellUnavailable(id, value.event, told.last)
        return
      }
      if (!concerns(value, id)) continue
      const type = value.event['turnId'] === id ? value.event['type'] : null
      told.last = value.id
      told.hasAnswer ||= type === 'response-complete' || type === 'error'
      yield { id: value.id, event: value.event }
      if (type === 'done') return
    }
  } catch (error) {
    const { code, message } = toAgentError(error)
    if (code !== 'store-unavailable' || leaving.signal.aborted) throw error
    yield* tellUnavailable(id, { code, message }, told.last)
  } finally {
    server.followedTurns.delete(turn)
    signal.removeEventListener('abort', leave)
    leave()
  }
}

function concerns({ event }: StoredEvent, turnId: string): boolean {
  if (event['turnId'] === null) return event['type'] !== 'request-settled'
  return event['turnId'] === turnId && event['type'] !== 'message-stored'
}

/** What the transcript says of a turn that no more events will come of; null: some may. */
async function findOver(
  { runtime: { store } }: Pick<ServerContext, 'runtime'>,
  { sessionId, id }: TurnToFollow,
  isQuiet: boolean,
): Promise<TurnEnd | null> {
  const message = await store.entries.find(sessionId, id)
  const end = message === null ? null : await findTurnEnd(store, sessionId, message)
  if (end !== null && (end.isFollowed || isQuiet)) return end
  if ((await store.leases.getOwner(sessionId)) !== null) return null
  if (end !== null) return end
  // It waits still, or for its next owner; a deleted session has none.
  const record = await store.sessions.get(sessionId)
  return record === null || record.deletedAt !== null ? UNANSWERED : null
}

const UNANSWERED: TurnEnd = { answer: null, isFollowed: false }

function* tellEnd(
  turnId: string,
  { answer }: TurnEnd,
  { last, hasAnswer }: { readonly last: number; readonly hasAnswer: boolean },
): Generator<NumberedEvent> {
  if (answer !== null && !hasAnswer) {
    const told = describeAnswer(answer)
    if (told !== null) yield { id: last, event: { turnId, ...told } }
  }
  yield { id: last, event: { turnId, type: 'done' } }
}

/** The message is kept and will be answered, but nobody can say when: whoever waits for it is told so and let go. */
function* tellUnavailable(turnId: string, { code, message }: JsonObject, last: number): Generator<NumberedEvent> {
  yield { id: last, event: { turnId, type: 'error', code: code ?? null, message: message ?? null } }
  yield { id: last, event: { turnId, type: 'done' } }
}

function describeAnswer({ id, parts, finish, failure = UNTOLD }: MessageEntry): JsonObject | null {
  if (finish === 'aborted') return null
  if (finish === 'error') return { type: 'error', code: failure.code, message: failure.message }
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  return { type: 'response-complete', id, text }
}

/** Transcripts of other programs, and of versions that kept no reason. */
const UNTOLD: Failure = { code: 'internal', message: 'This turn failed; why is not kept.' }
