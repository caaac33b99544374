import type { Controls, MirrorCodec, SyncOptions } from '@longhaul/engine'
import { createQueue, createRequestJournal } from '@longhaul/engine/advanced'
import type { Manifest, RequestJournal, Usage } from '@longhaul/engine/advanced'
import { StoreError } from '../store-error.ts'
import { createRequestDesk } from './apply-requests.ts'
import { chooseStore } from './choose-store.ts'
import type { OwnedStore } from './choose-store.ts'
import type { HostDescription } from './host-record.ts'
import type { HostCall, HostSessionOptions } from './host-options.ts'
import { createLeaseKeeper } from './lease-keeper.ts'
import { openStoredMirror } from './stored-mirror.ts'
import type { StoredMirror } from './stored-mirror.ts'
import { within } from './within.ts'

/** The stored mirror of one host's session: opened when it is needed, owned while it is used, given back when it is idle. */
export interface HeldMirror<M> {
  /** What the host says of its model from now on. */
  readonly setCall: (call: HostCall) => void
  readonly sync: (messages: readonly M[], around: SyncOptions) => Promise<readonly M[]>
  readonly bill: (usage: Usage) => void
  readonly control: <T>(use: (controls: Controls) => Promise<T> | T) => Promise<T>
  readonly close: () => Promise<void>
}

export interface HeldMirrorOptions<M> extends HostSessionOptions<M> {
  readonly id: string
  readonly warnOnce: (text: string) => void
  /** Called when nobody has used the session for a long time. */
  readonly forget: () => void
}

interface Opened<M> {
  readonly at: OwnedStore
  readonly stored: StoredMirror<M>
  /** The model and window that the mirror was made for. */
  readonly madeFor: string
  readonly journal: RequestJournal
}

/** The longest wait for work beside the conversation when a host's process ends. */
const CLOSE_MS = 15_000

/** The account of a request is written while its answer is waited for: working it out takes a moment in a long conversation. */
const ACCOUNT_MS = 50

/** null: the request cannot be accounted for, which is no reason to fail. */
async function noteLater(journal: RequestJournal, last: { readonly manifest: Manifest }): Promise<number | null> {
  await new Promise((resolve) => {
    setTimeout(resolve, ACCOUNT_MS)
  })
  try {
    return await journal.note(last.manifest)
  } catch {
    return null
  }
}

export function createHeldMirror<M extends object>(options: HeldMirrorOptions<M>): HeldMirror<M> {
  const { id, codec, policy, warnOnce, forget } = options
  const inTurn = createQueue()
  const desk = createRequestDesk()
  const leases = createLeaseKeeper({ onIdle: () => inTurn(release), onForgotten: forgetAll })
  let call: HostCall = options
  let opened: Opened<M> | null = null
  let request: Promise<number | null> | null = null

  /** The mirror in force: the same one, unless the host changed its model or another process has written meanwhile. */
  async function open(messages: readonly M[]): Promise<Opened<M>> {
    const at = await chooseStore(options.store)
    const madeFor = JSON.stringify([call.model ?? null, call.windowTokens ?? null, call.ask !== undefined])
    if (opened?.madeFor === madeFor && (leases.isHeld() || (await takeAgain(opened)))) return opened
    await opened?.stored.mirror.stop().catch(() => undefined)
    const described = describeHost({ ...options, ...call }, messages)
    const ports = { ask: () => call.ask, settles: desk.settles }
    const stored = await openStoredMirror(at, { id, codec, policy, described, ...ports })
    const lease = stored.lease()
    if (lease === null) warnOnce(OWNED_ELSEWHERE)
    else leases.hold(at.store, lease)
    const journal = createRequestJournal({ requests: at.store.requests, sessionId: id, onLost: () => undefined })
    return (opened = { at, stored, madeFor, journal })
  }

  /** An idle session is given back. Where nobody wrote to it meanwhile, its mirror can go on. */
  async function takeAgain({ at: { store, owner }, stored }: Opened<M>): Promise<boolean> {
    if (stored.lease() === null) return false
    const acquired = await store.leases.acquire(id, owner)
    if (!acquired.ok) return false
    stored.renew(acquired.lease)
    leases.hold(store, acquired.lease)
    return stored.isCurrent()
  }

  async function sync(messages: readonly M[], around: SyncOptions): Promise<readonly M[]> {
    const { at, stored, journal } = await open(messages)
    const { mirror } = stored
    const lease = stored.lease()
    if (lease !== null) await desk.apply(at.store, lease, mirror)
    const sent = await mirror.sync(messages, around)
    void leases.use(mirror.settled())
    const last = mirror.lastRequest()
    request = lease === null || last === null ? null : noteLater(journal, last)
    return sent
  }

  async function release(): Promise<void> {
    await request
    await opened?.journal.drain()
    await leases.release()
  }

  function forgetAll(): void {
    opened = null
    forget()
  }

  return {
    setCall: (said) => void (call = { ...call, ...withoutGaps(said) }),
    sync: (messages, around) =>
      inTurn(async () => {
        try {
          return await sync(messages, around)
        } catch (error) {
          if (!isOvertaken(error)) throw error
          // Another process took the session over in the middle: once more, from what is stored now.
          leases.drop()
          opened = null
          return sync(messages, around)
        }
      }),
    bill(usage) {
      if (opened === null) return
      const { stored, journal } = opened
      stored.mirror.bill(usage)
      void request?.then((number) => (number === null ? null : journal.settle(number, 'stop', usage)))
    },
    async control(use) {
      const { stored } = await inTurn(() => open([]))
      return leases.use(Promise.resolve(use(stored.mirror)))
    },
    async close() {
      if (opened !== null) await within(CLOSE_MS, opened.stored.mirror.settled()).catch(() => undefined)
      await inTurn(release).catch(() => undefined)
      forgetAll()
    },
  }
}

function withoutGaps(said: HostCall): HostCall {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

const OWNED_ELSEWHERE =
  'another process owns this conversation at the moment; the request is made from its last stored view, and nothing is stored from here'

function isOvertaken(error: unknown): boolean {
  return error instanceof StoreError && ['lease-lost', 'out-of-order', 'not-found'].includes(error.code)
}

function describeHost<M>(
  { origin, sessionId, codec, policy, model, windowTokens }: HostSessionOptions<M>,
  messages: readonly M[],
): HostDescription {
  const { preset, ...keys } = typeof policy === 'object' ? policy : { preset: policy }
  return {
    origin,
    sessionId,
    title: findTitle(messages, codec),
    model: model ?? null,
    windowTokens: windowTokens ?? null,
    preset: preset ?? null,
    policy: keys,
  }
}

/** The first line that the user wrote. */
function findTitle<M>(messages: readonly M[], codec: MirrorCodec<M>): string | null {
  for (const message of messages) {
    const read = codec.read(message)
    const part = read?.role === 'user' ? read.parts.find(({ type }) => type === 'text') : undefined
    if (part?.type === 'text' && part.text.trim() !== '') return part.text.trim().split('\n', 1)[0] ?? null
  }
  return null
}
