import type { Controls, Refusal, SyncOptions } from '@longhaul/engine'
import { renderRecalled } from '@longhaul/engine/advanced'
import type { MessageEntry, Usage } from '@longhaul/engine/advanced'
import { createHeldMirror } from './held-mirror.ts'
import type { HostCall, HostSessionOptions } from './host-options.ts'
import { storedIdOf } from './host-record.ts'
import { within } from './within.ts'

export interface HostSyncOptions extends SyncOptions, HostCall {}

/** A conversation that a host keeps, and whose context Longhaul keeps small enough. Nothing here throws at the host's expense. */
export interface HostSession<M> {
  /** The id under which the store and the web app know the conversation. */
  readonly id: string
  /** The list to send. Whatever goes wrong, the host's own list comes back unchanged, and one warning is given. */
  sync(messages: readonly M[], options?: HostSyncOptions): Promise<readonly M[]>
  /** The bill of the request that the last list made. null: the provider does not tell. */
  bill(usage: Usage | null): void
  /** The provider refused the last list as too long. True: room was made, so sync and send once more. null: that was not why. */
  refused(refusal?: Refusal | null): Promise<boolean>
  /** Finds old messages, as a text for the model. */
  recall(query: string): Promise<string>
  /** Compact, undo, pins, sizes and entries of the conversation, as the last call left it. Rejects where there is none yet. */
  control<T>(use: (controls: Controls) => Promise<T> | T): Promise<T>
  /** Waits a bounded time for work beside the conversation, then gives the session back. For hosts whose process ends. */
  close(): Promise<void>
}

const open = new Map<string, HostSession<object>>()

/**
 * A host's session. The same origin, id and store give the same session within a process, so a program may ask for it
 * anew at each of its calls.
 *
 * @example
 * const session = openHostSession({ origin: 'my-agent', sessionId, codec, store: 'sessions.db', windowTokens: 200_000, ask })
 * const messages = await session.sync(history)
 */
export function openHostSession<M extends object>(options: HostSessionOptions<M>): HostSession<M> {
  const id = storedIdOf(options.origin, options.sessionId)
  const key = typeof options.store === 'object' ? null : `${options.store ?? ''}\n${id}`
  const known = key === null ? storeSessions(options.store as object) : open
  const found = known.get(key ?? id)
  if (found !== undefined) return found as unknown as HostSession<M>
  const session = createHostSession(id, options, () => known.delete(key ?? id))
  known.set(key ?? id, session)
  return session
}

const byStore = new WeakMap<object, Map<string, HostSession<object>>>()

function storeSessions(store: object): Map<string, HostSession<object>> {
  const known = byStore.get(store) ?? new Map<string, HostSession<object>>()
  byStore.set(store, known)
  return known
}

/** A call that took this long to fail is not tried again for a while: the host would wait at each of its calls. */
const SLOW_FAILURE_MS = 1_000
const REST_MS = 30_000
/** More than the time that a turn may wait for a summary. */
const DEADLINE_MS = 25_000

function createHostSession<M extends object>(
  id: string,
  options: HostSessionOptions<M>,
  forget: () => void,
): HostSession<M> {
  const warnOnce = createWarner(options.warn ?? ((text) => console.warn(text)))
  const held = createHeldMirror({ ...options, id, forget, warnOnce })
  let restUntil = 0

  return {
    id,
    async sync(messages, { windowTokens, model, ask, ...around } = {}) {
      held.setCall({ windowTokens, model, ask })
      if (Date.now() < restUntil) return messages
      const started = Date.now()
      try {
        return await within(DEADLINE_MS, held.sync(messages, around))
      } catch (error) {
        if (around.signal?.aborted === true) throw error
        if (Date.now() - started > SLOW_FAILURE_MS) restUntil = Date.now() + REST_MS
        warnOnce(`the request goes out as the host made it, because ${describeError(error)}`)
        return messages
      }
    },
    bill(usage) {
      if (usage === null) return
      try {
        held.bill(usage)
      } catch (error) {
        warnOnce(`a bill cannot be read, so sizes stay estimates: ${describeError(error)}`)
      }
    },
    async refused(refusal = {}) {
      if (refusal === null) return false
      try {
        return await held.control((controls) => controls.refused(refusal))
      } catch (error) {
        if (refusal.signal?.aborted === true) throw error
        warnOnce(`the refused request could not be made smaller, because ${describeError(error)}`)
        return false
      }
    },
    recall: (query) =>
      held.control(async (controls) => {
        const hits = await controls.recall(query)
        const entries = controls.entries()
        if (hits.length === 0) return NOTHING_FOUND
        return hits.map(({ seq }) => renderRecalled(entries[seq - 1] as MessageEntry, query)).join('\n\n')
      }),
    control: (use) => held.control(use),
    close: () => held.close(),
  }
}

const NOTHING_FOUND = 'Nothing of that kind was said in this conversation.'

function createWarner(warn: (message: string) => void): (text: string) => void {
  const said = new Set<string>()
  return (text) => {
    if (said.has(text)) return
    said.add(text)
    warn(`Longhaul: ${text}`)
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
