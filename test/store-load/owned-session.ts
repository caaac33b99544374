import { createProseDocument, findNeededEntries, foldEntries, openState } from '@longhaul/engine/advanced'
import type { Entry, State } from '@longhaul/engine/advanced'
import type { Append, Lease, Owner, Store } from '@longhaul/store/port'
import { numberLines } from '../../packages/store/src/testing/build-entries.ts'
import type { Line } from '../../packages/store/src/testing/build-entries.ts'
import { tell } from './report.ts'

/** A session in the hands of this process, written to as the agent does: folded first, then appended. It tells all it does. */
export interface OwnedSession {
  readonly lease: Lease
  getState(): State
  /** One atomic step. Entries without an id get one that names the lease, the append and how many belong to it. */
  append(lines: readonly Line[], options?: Pick<Append, 'settles' | 'epoch'>): Promise<void>
  /** The same, planned on a state of one's own, as work prepared beside the conversation is. */
  appendOn(state: State, lines: readonly Line[], options?: Pick<Append, 'settles' | 'epoch'>): Promise<void>
  release(): Promise<void>
}

export interface TakeOptions {
  readonly store: Store
  readonly sessionId: string
  readonly owner: Owner
}

/** null: somebody else has it. Work that an owner before left undone is settled first. */
export async function takeSession({ store, sessionId, owner }: TakeOptions): Promise<OwnedSession | null> {
  const askedAt = Date.now()
  const acquired = await store.leases.acquire(sessionId, owner)
  if (!acquired.ok) {
    tell({ type: 'refused', sessionId, holderId: acquired.owner.id, at: askedAt })
    return null
  }
  const { lease, abandoned } = acquired
  const { token, ownerId } = lease
  tell({ type: 'acquired', sessionId, ownerId, token, abandoned, at: Date.now() })
  const session = createOwnedSession(store, lease, await readState(store, sessionId))
  if (abandoned !== null) {
    await session.append([{ type: 'maintenance-failed', work: 'compaction', reason: 'abandoned' }])
    tell({ type: 'work', sessionId, work: null })
    await store.leases.setWork(lease, null)
  }
  return session
}

/** A compaction of all there is, standing on the base in force. */
export function compactionOf({ head }: State, summary: string): Line {
  const { entry: previous } = head.base
  return {
    type: 'compaction',
    fromSeq: head.lastSeq + 1,
    firstKept: null,
    carried: [],
    previous,
    tokensBefore: 1_000,
    tokensAfter: 100,
    document: createProseDocument(summary, []),
    reason: 'prepared',
    strategy: 'summarize',
    model: 'test-model',
    usage: { input: 900, output: 80, costUsd: 0.002 },
  }
}

function createOwnedSession(store: Store, lease: Lease, opened: State): OwnedSession {
  const { sessionId, token, ownerId } = lease
  let state = opened
  let appends = 0

  const appendOn: OwnedSession['appendOn'] = async (basis, lines, options = {}) => {
    appends += 1
    const own = `t${token}.${appends}`
    const named = lines.map((line, index) => ({ id: `${own}.${index + 1}of${lines.length}`, ...line }))
    const entries = numberLines(named, basis.head.lastSeq)
    const next = foldEntries(entries, basis)
    try {
      await store.entries.append({ lease, entries, head: next.head, ...options })
    } catch (error) {
      tellRejected(sessionId, entries, error)
      throw error
    }
    tell({ type: 'appended', sessionId, entries })
    state = next
  }

  return {
    lease,
    getState: () => state,
    append: (lines, options) => appendOn(state, lines, options),
    appendOn,
    async release() {
      await store.leases.release(lease)
      tell({ type: 'released', sessionId, ownerId, at: Date.now() })
    },
  }
}

/** Only a refusal promises that nothing was stored. */
function tellRejected(sessionId: string, entries: readonly Entry[], error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code !== 'unavailable') tell({ type: 'rejected', sessionId, entries, code })
}

async function readState(store: Store, sessionId: string): Promise<State> {
  const session = await store.sessions.get(sessionId)
  if (session === null) throw new Error(`There is no session ${sessionId}.`)
  const { head } = session
  const { fromSeq, seqs } = findNeededEntries(head.base)
  const older = await store.entries.readAt(sessionId, seqs)
  return openState(head, [...older, ...(await store.entries.read(sessionId, { from: fromSeq }))])
}
