import { createMirror } from '@longhaul/engine'
import type { Ask, ContextOptions, Keeper, Mirror, MirrorCodec } from '@longhaul/engine'
import type { Entry } from '@longhaul/engine/advanced'
import type { Lease } from '../port/leases.ts'
import type { Store } from '../port/store.ts'
import { StoreError } from '../store-error.ts'
import type { OwnedStore } from './choose-store.ts'
import { ensureRecord, updateRecord } from './host-record.ts'
import type { HostDescription } from './host-record.ts'

/** A mirror whose log lies in a store. */
export interface StoredMirror<M> {
  readonly mirror: Mirror<M>
  /** null: another process owned the session when it was opened, so nothing is stored from here. */
  readonly lease: () => Lease | null
  /** The session was given back and taken again: appends carry this lease from now on. */
  renew(lease: Lease): void
  /** Whether the stored log is still the one that the mirror knows. */
  isCurrent(): Promise<boolean>
}

export interface StoredMirrorOptions<M> {
  readonly id: string
  readonly codec: MirrorCodec<M>
  readonly described: HostDescription
  readonly policy: ContextOptions['policy'] | undefined
  /** Asked for at each summary, because hosts bring their model along with each call. */
  readonly ask: () => Ask | undefined
  /** Requests from outside that an append answers. */
  readonly settles: (entries: readonly Entry[]) => readonly string[]
}

/** Opens a host's session for one owner. Where another process owns it, the mirror starts from the stored log and stores nothing. */
export async function openStoredMirror<M extends object>(
  { store, owner }: OwnedStore,
  options: StoredMirrorOptions<M>,
): Promise<StoredMirror<M>> {
  const { id, described, ask } = options
  await ensureRecord(store, id, described)
  const acquired = await store.leases.acquire(id, owner)
  let lease = acquired.ok ? acquired.lease : null
  const stored = await store.entries.read(id, {})
  const entries = lease === null ? stored : await updateRecord(store, { lease, entries: stored, described })
  const { model, windowTokens } = described
  const keeper = lease === null ? null : await createKeeper(store, () => lease, options)
  const mirror = createMirror<M>({
    windowTokens,
    codec: options.codec,
    entries,
    ...(model === null ? {} : { model }),
    ...(options.policy === undefined ? {} : { policy: options.policy }),
    ...(ask() === undefined ? {} : { ask: (request, signal) => askNow(ask(), request, signal) }),
    ...(keeper === null ? {} : { keeper }),
  })
  return {
    mirror,
    lease: () => lease,
    renew: (next) => void (lease = next),
    async isCurrent() {
      const record = await store.sessions.get(id)
      return record?.head.lastSeq === mirror.entries().length
    },
  }
}

function askNow(ask: Ask | undefined, ...call: Parameters<Ask>): ReturnType<Ask> {
  return ask === undefined ? Promise.reject(new Error('The host has no model to ask at the moment.')) : ask(...call)
}

/** Lessons are kept for all conversations with the same model. One that cannot be kept holds nothing up. */
async function createKeeper<M>(
  store: Store,
  lease: () => Lease | null,
  { described: { model }, settles }: StoredMirrorOptions<M>,
): Promise<Keeper> {
  const learned = model === null ? null : await store.learned.get(model)
  return {
    async append(entries, head) {
      const held = lease()
      if (held === null) throw new StoreError('lease-lost', 'Another process owns the session.')
      const settled = settles(entries)
      const isKeptElsewhere = entries.every(({ type }) => type === 'message' || type === 'branch')
      const answered = settled.length === 0 ? {} : { settles: settled }
      await store.entries.append({ lease: held, entries, head, isKeptElsewhere, ...answered })
      // For whoever looks at the conversation elsewhere. The host's call does not wait for it.
      const added = { turnId: null, type: 'entries-added', types: [...new Set(entries.map(({ type }) => type))] }
      void store.events.add(held.sessionId, Date.now(), [added], held).catch(() => undefined)
    },
    ...(learned === null
      ? {}
      : { lessons: { calibrations: learned.calibrations, windowTokens: learned.window?.tokens ?? null } }),
    onLesson({ calibrations, windowTokens }) {
      if (model === null) return
      const window = windowTokens === null ? null : { tokens: windowTokens, at: Date.now() }
      const writes = Object.entries(calibrations).map(([name, learnt]) =>
        store.learned.setCalibration(model, name, learnt),
      )
      if (windowTokens !== (learned?.window?.tokens ?? null)) writes.push(store.learned.setWindow(model, window))
      void Promise.allSettled(writes)
    },
  }
}
