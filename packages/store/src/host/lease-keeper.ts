import type { Lease } from '../port/leases.ts'
import type { Store } from '../port/store.ts'

/** Holds the right to write to one session while its host is at work, and for a short while after. */
export interface LeaseKeeper {
  readonly isHeld: () => boolean
  /** Renews it from now on. */
  readonly hold: (store: Store, lease: Lease) => void
  /** The session is in use until this work has ended; then the time until it is given back starts anew. */
  readonly use: <T>(work: Promise<T>) => Promise<T>
  /** Gives the session back, so that another process can have it at once. */
  readonly release: () => Promise<void>
  /** Forgets a lease that is lost already. */
  readonly drop: () => void
}

/** A host that runs in several processes brings each call to any of them: whoever is idle must not keep the session. */
const IDLE_MS = 3_000
/** A conversation that nobody went on with for so long is read from the store again when somebody does. */
const FORGET_MS = 600_000

export interface LeaseKeeperOptions {
  /** Called when the session has not been used for a few seconds. */
  readonly onIdle: () => Promise<void>
  /** Called when it was given back long ago and nobody has asked for it since. */
  readonly onForgotten: () => void
}

export function createLeaseKeeper({ onIdle, onForgotten }: LeaseKeeperOptions): LeaseKeeper {
  let held: { readonly store: Store; readonly lease: Lease } | null = null
  let usedAt = 0
  let uses = 0
  let timer: NodeJS.Timeout | undefined
  let forgetting: NodeJS.Timeout | undefined

  async function beat(): Promise<void> {
    if (held === null) return
    if (uses === 0 && Date.now() - usedAt >= IDLE_MS) return onIdle()
    const { store, lease } = held
    const lost = await store.leases.renew([lease])
    if (lost.length > 0) drop()
  }

  function drop(): void {
    clearInterval(timer)
    clearTimeout(forgetting)
    held = null
  }

  return {
    isHeld: () => held !== null,
    hold(store, lease) {
      drop()
      held = { store, lease }
      usedAt = Date.now()
      // A beat that fails is tried again at the next; an append would notice a lease that is lost.
      timer = setInterval(() => void beat().catch(() => undefined), store.leases.beatMs)
      timer.unref()
    },
    async use(work) {
      uses += 1
      try {
        return await work
      } finally {
        uses -= 1
        usedAt = Date.now()
      }
    },
    async release() {
      const giving = held
      drop()
      forgetting = setTimeout(onForgotten, FORGET_MS)
      forgetting.unref()
      if (giving !== null) await giving.store.leases.release(giving.lease)
    },
    drop,
  }
}
