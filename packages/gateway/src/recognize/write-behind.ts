import type { EntryType } from '@longhaul/engine'
import type { Append, Store } from '@longhaul/store/port'

/** Entries that the client's next request would bring again, should they be lost. */
const REPEATED: readonly EntryType[] = ['message', 'branch']

/**
 * A store that does not let a request wait for the disk where nothing would be lost: a client's own messages are written
 * while its request is on the way. Everything that Longhaul decides itself is on disk before a request rests on it, and so
 * is whatever was written before. A write that failed fails the next one of its session.
 */
export function writeBehind(store: Store): Store {
  const pending = new Map<string, Promise<void>>()

  /** Resolves, or rejects, as the writes of a session did that are under way. */
  const settle = (sessionId: string): Promise<void> => pending.get(sessionId) ?? Promise.resolve()
  /** Reads see what was written before them. */
  const after = async <T>(sessionId: string, read: () => Promise<T>): Promise<T> => {
    await settle(sessionId).catch(() => undefined)
    return read()
  }

  async function append(step: Append): Promise<void> {
    const { sessionId } = step.lease
    const isRepeated = step.settles === undefined && step.entries.every(({ type }) => REPEATED.includes(type))
    const writing = settle(sessionId).then(() => store.entries.append(isRepeated ? { ...step, isMove: true } : step))
    const kept: Promise<void> = forgetAfter(sessionId, writing, () => kept)
    pending.set(sessionId, kept)
    kept.catch(() => undefined)
    if (!isRepeated) await takeFailure(sessionId, writing)
  }

  async function forgetAfter(sessionId: string, writing: Promise<void>, own: () => Promise<void>): Promise<void> {
    await writing
    if (pending.get(sessionId) === own()) pending.delete(sessionId)
  }

  /** A failure is told once: the caller begins anew from what is stored. */
  async function takeFailure(sessionId: string, writing: Promise<void>): Promise<void> {
    try {
      await writing
    } catch (error) {
      pending.delete(sessionId)
      throw error
    }
  }

  return withMethods(store, {
    sessions: withMethods(store.sessions, { get: (id) => after(id, () => store.sessions.get(id)) }),
    entries: withMethods(store.entries, {
      append,
      read: (sessionId, range) => after(sessionId, () => store.entries.read(sessionId, range)),
    }),
    leases: withMethods(store.leases, {
      release: (lease, left) => after(lease.sessionId, () => store.leases.release(lease, left)),
    }),
  })
}

/** The same object with other members. It may be of a class with private fields, so its own methods are called on it. */
function withMethods<T extends object>(own: T, members: Partial<T>): T {
  return new Proxy(own, {
    get(target, key) {
      if (Object.hasOwn(members, key)) return Reflect.get(members, key)
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
