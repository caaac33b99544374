import { isDeepStrictEqual } from 'node:util'
import type { NewMessage } from '@longhaul/protocol'
import type { JsonObject, MessageEntry } from '@longhaul/runtime'
import { isConflict } from '../api-failure.ts'
import type { ServerContext } from '../server-context.ts'
import { findTurnStart } from '../stream/find-turn-start.ts'
import type { TurnToFollow } from '../stream/follow-turn.ts'

/** Durable when it resolves. The same message again finds the turn it has. */
export async function acceptMessage(
  server: Pick<ServerContext, 'runtime'>,
  sessionId: string,
  message: NewMessage,
): Promise<TurnToFollow> {
  const { agent, store } = server.runtime
  const { text, id: wantedId, attachments } = message
  try {
    const { id, status, afterEvent } = await agent.send(sessionId, {
      text,
      ...(wantedId === undefined ? {} : { id: wantedId }),
      ...(attachments === undefined ? {} : { attachments: attachments as readonly JsonObject[] }),
    })
    if (status === 'new') return { sessionId, id, after: afterEvent }
    const waiting = (await store.inbox.list(sessionId)).filter(({ kind }) => kind === 'message')
    const place = waiting.findIndex((item) => item.id === id)
    if (place !== -1) return { sessionId, id, after: afterEvent, queuedAt: place + 1 }
    const entry = await store.entries.find(sessionId, id)
    return { sessionId, id, after: entry === null ? afterEvent : await findTurnStart(store, sessionId, entry) }
  } catch (error) {
    const entry = wantedId !== undefined && isConflict(error) ? await store.entries.find(sessionId, wantedId) : null
    // The inbox forgets after some weeks; the transcript does not.
    if (entry?.type !== 'message' || !isSame(entry, message)) throw error
    return { sessionId, id: entry.id, after: await findTurnStart(store, sessionId, entry) }
  }
}

function isSame({ role, parts }: MessageEntry, { text, attachments = [] }: NewMessage): boolean {
  const wanted = [...(text === '' ? [] : [{ type: 'text', text }]), ...attachments]
  return role === 'user' && isDeepStrictEqual(parts, wanted)
}
