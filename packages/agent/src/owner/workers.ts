import type { Lease, Store } from '@longhaul/store/port'
import { describeError, toAgentError } from '../agent-error.ts'
import type { ActiveSession, ResolvedOptions } from '../session/active-session.ts'
import { originOf } from '../session/origin-of.ts'
import type { StoreCheck } from '../session/store-check.ts'
import { startWorker } from './session-worker.ts'
import type { SessionWorker } from './session-worker.ts'

/** The sessions this process owns, and how it comes by more. */
export interface Workers {
  /** Sees to it that somebody works on the session: this process, unless another one has it. */
  ensure(sessionId: string): void
  /** A turn or a request is under way here. */
  isBusy(sessionId: string): boolean
  /** The session as its worker here has it; null: there is none. */
  find(sessionId: string): ActiveSession | null
  /** Sessions with a turn or a request under way here. */
  countBusy(): number
  close(): Promise<void>
}

interface Owned {
  readonly lease: Lease
  readonly worker: SessionWorker
}

/** How many sessions of owners that died are taken over at a time. */
const ADOPT_AT_ONCE = 20
const MAX_PAUSE_MS = 60_000
/** Between two looks whether the store takes writes again. */
const STORE_PAUSE_MS = 1_000

export function createWorkers(agent: ResolvedOptions): Workers {
  const { store, owner } = agent
  const owned = new Map<string, Owned>()
  const starting = new Map<string, Promise<void>>()
  const failures = new Map<string, number>()
  const pausing = new Set<string>()
  const hosted = createHostedSessions(store)
  let isClosed = false

  function ensure(sessionId: string): void {
    const found = owned.get(sessionId)
    if (found !== undefined) found.worker.wake()
    else if (!isClosed && !starting.has(sessionId)) {
      const started = start(sessionId)
        .catch((error: unknown) => {
          logProblem(sessionId, error)
          if (toAgentError(error).code === 'store-unavailable') void tryAgainLater(sessionId)
        })
        .finally(() => starting.delete(sessionId))
      starting.set(sessionId, started)
    }
  }

  async function start(sessionId: string): Promise<void> {
    if (await hosted.look(sessionId)) return
    const acquired = await store.leases.acquire(sessionId, owner)
    // Another process has it, and will see what waits.
    if (!acquired.ok) return
    const { lease, abandoned } = acquired
    const record = await store.sessions.get(sessionId)
    if (record === null || isClosed) return store.leases.release(lease, abandoned)
    const worker = startWorker({ agent, record, lease, abandoned })
    owned.set(sessionId, { lease, worker })
    void afterEnd(sessionId, worker)
  }

  async function afterEnd(sessionId: string, worker: SessionWorker): Promise<void> {
    const isFine = await worker.ended
    owned.delete(sessionId)
    // After a failure a turn may be half done. Else, something may have come in between the last look and the end.
    if (!isFine) return tryAgainLater(sessionId)
    failures.delete(sessionId)
    if (!isClosed && (await isWaitedFor(store, sessionId).catch(() => false))) ensure(sessionId)
  }

  /**
   * What fails again and again is tried again ever more slowly, and never while the store takes nothing: the model would
   * be asked, and paid, for an answer that cannot be kept.
   */
  async function tryAgainLater(sessionId: string): Promise<void> {
    if (pausing.has(sessionId)) return
    const count = (failures.get(sessionId) ?? 0) + 1
    failures.set(sessionId, count)
    pausing.add(sessionId)
    await pause(Math.min(MAX_PAUSE_MS, 500 * 2 ** count))
    await waitForStore(agent.checkStore, () => isClosed)
    pausing.delete(sessionId)
    if (!isClosed) ensure(sessionId)
  }

  async function beat(): Promise<void> {
    const leases = [...owned.values()].map(({ lease }) => lease)
    const lost = leases.length === 0 ? [] : await store.leases.renew(leases)
    for (const { sessionId } of lost) {
      agent.log({ level: 'warn', event: 'lease-lost', message: 'Another process has taken this session.', sessionId })
      void owned.get(sessionId)?.worker.stop()
    }
    const left = new Set([...pausing, ...hosted.known])
    for (const sessionId of await store.inbox.listUnowned(ADOPT_AT_ONCE + left.size))
      if (!left.has(sessionId)) ensure(sessionId)
  }

  const timer = setInterval(() => void beat().catch((error: unknown) => logProblem(null, error)), store.leases.beatMs)
  timer.unref()

  function logProblem(sessionId: string | null, error: unknown): void {
    // Whoever asked for a session that is not there hears so.
    const isExpected = isClosed || toAgentError(error).code === 'not-found'
    if (!isExpected) agent.log({ level: 'error', event: 'owner-problem', message: describeError(error), sessionId })
  }

  return {
    ensure,
    isBusy: (sessionId) => owned.get(sessionId)?.worker.isBusy() === true,
    find: (sessionId) => owned.get(sessionId)?.worker.session() ?? null,
    countBusy: () => starting.size + [...owned.values()].filter(({ worker }) => worker.isBusy()).length,
    async close() {
      isClosed = true
      clearInterval(timer)
      await Promise.all(starting.values())
      await Promise.all([...owned.values()].map(({ worker }) => worker.stop()))
    },
  }
}

/** Finds the sessions of hosts: only their hosts may own them, and what waits for them is for the host. */
function createHostedSessions({ sessions }: Pick<Store, 'sessions'>) {
  const known = new Set<string>()
  return {
    /** Ids of sessions of hosts that this process has looked at so far. */
    known: known as ReadonlySet<string>,
    async look(sessionId: string): Promise<boolean> {
      const record = await sessions.get(sessionId)
      const isHosted = record !== null && originOf(record.header) !== null
      if (isHosted) known.add(sessionId)
      else known.delete(sessionId)
      return isHosted
    },
  }
}

/** What waits for a deleted session waits until it is restored. */
async function isWaitedFor(
  { sessions, inbox }: Pick<Store, 'sessions' | 'inbox'>,
  sessionId: string,
): Promise<boolean> {
  const [record, waiting] = await Promise.all([sessions.get(sessionId), inbox.list(sessionId)])
  return record?.deletedAt === null && waiting.length > 0
}

/** Resolves once something can be stored, or nobody needs it any more. */
async function waitForStore(checkStore: StoreCheck, isOver: () => boolean): Promise<void> {
  while (!isOver() && (await checkStore()) !== null) await pause(STORE_PAUSE_MS)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
