import assert from 'node:assert/strict'
import { createState, foldEntries } from '@longhaul/engine/advanced'
import type { Entry, Head } from '@longhaul/engine/advanced'
import type { Append } from '../port/entries.ts'
import type { Lease, Owner } from '../port/leases.ts'
import type { SessionRecord } from '../port/sessions.ts'
import type { Store } from '../port/store.ts'
import { START_AT, numberLines } from './build-entries.ts'
import type { Line } from './build-entries.ts'

/** Somebody who owns a session and writes to it as the agent does: folds first, then appends. */
export interface SessionWriter {
  readonly lease: Lease
  getHead(): Head
  /** The next append, not yet stored. */
  plan(...lines: readonly Line[]): Append
  /** Stores it, with the options of an append if there are any. */
  write(lines: readonly Line[], options?: Pick<Append, 'settles' | 'epoch'>): Promise<readonly Entry[]>
}

/** An owner on a machine that nobody can look at: only time tells that it has died. */
export function createTestOwner(id: string): Owner {
  return { id, host: 'a machine elsewhere', pid: 4_711, startedAt: '12345' }
}

export async function createSession(store: Store, id: string, ...lines: readonly Line[]): Promise<SessionRecord> {
  return store.sessions.create({ id, createdAt: START_AT, header: { agent: 'test' }, entries: numberLines(lines) })
}

/** A new session and its first owner. */
export async function startSession(store: Store, id: string, ...lines: readonly Line[]): Promise<SessionWriter> {
  await createSession(store, id, ...lines)
  return takeSession(store, id)
}

export async function takeSession(store: Store, id: string, ownerId = 'owner'): Promise<SessionWriter> {
  const lease = await takeLease(store, id, ownerId)
  let state = foldEntries(await store.entries.read(id, {}), createState())
  const plan = (...lines: readonly Line[]): Append => {
    const entries = numberLines(lines, state.head.lastSeq)
    return { lease, entries, head: foldEntries(entries, state).head }
  }
  return {
    lease,
    getHead: () => state.head,
    plan,
    async write(lines, options = {}) {
      const append = plan(...lines)
      await store.entries.append({ ...append, ...options })
      state = foldEntries(append.entries, state)
      return append.entries
    },
  }
}

export async function takeLease(store: Store, id: string, ownerId = 'owner'): Promise<Lease> {
  const acquired = await store.leases.acquire(id, createTestOwner(ownerId))
  assert.ok(acquired.ok, `Owner ${ownerId} should get session ${id}.`)
  return acquired.lease
}
