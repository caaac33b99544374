import type { Store } from '@longhaul/store/port'

/** A store as one process sees it until that process is killed. */
export interface MortalStore {
  readonly store: Store
  /** Writes so far, by name: `entries.append`, `leases.setWork` … */
  readonly writes: readonly string[]
  /** Resolves when the process is dead. */
  readonly died: Promise<void>
  /** Now, between two writes. */
  readonly kill: () => void
}

export interface Death {
  /** At which write, counted from 0. */
  readonly atWrite: number
  /** Whether that write still reaches the disk; its process never hears of it either way. */
  readonly isStored: boolean
}

const ROOMS = [
  'sessions',
  'entries',
  'inbox',
  'leases',
  'requests',
  'events',
  'artifacts',
  'learned',
  'memory',
  'search',
] as const
const READS = /^(?:get\w*|list\w*|read\w*|find|search)$/

/** From its death on nothing gets through in either direction. Nothing is tidied up: its lease stays until it runs out. */
export function createMortalStore(inner: Store, death: Death | null): MortalStore {
  const writes: string[] = []
  const { promise: died, resolve } = Promise.withResolvers<void>()
  let isDead = false

  async function pass(name: string, isRead: boolean, call: () => Promise<unknown>): Promise<unknown> {
    if (isDead) throw new Error('The process is dead.')
    if (isRead) return call()
    writes.push(name)
    if (writes.length - 1 !== death?.atWrite) return call()
    isDead = true
    if (death.isStored) await call()
    resolve()
    throw new Error('The process is dead.')
  }

  function wrapRoom(room: (typeof ROOMS)[number]): object {
    return new Proxy(inner[room], {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        const method = String(key)
        return (...args: readonly unknown[]) =>
          pass(`${room}.${method}`, READS.test(method), () => Reflect.apply(value, target, args) as Promise<unknown>)
      },
    })
  }

  function kill(): void {
    isDead = true
    resolve()
  }

  const store = {
    ...inner,
    ...Object.fromEntries(ROOMS.map((room) => [room, wrapRoom(room)])),
    watch: (listener, sessionId) =>
      inner.watch((change) => {
        if (!isDead) listener(change)
      }, sessionId),
  } as Store
  return { store, writes, died, kill }
}
