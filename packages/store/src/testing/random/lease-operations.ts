import assert from 'node:assert/strict'
import { createTestOwner } from '../session-writer.ts'
import { attempt } from './attempt.ts'
import { OWNER_IDS, SESSION_IDS, isCurrent, isExpired } from './model.ts'
import type { World } from './model.ts'

export async function acquire({ store, model, random }: World): Promise<void> {
  const [id, ownerId] = [random.pick(SESSION_IDS), random.pick(OWNER_IDS)]
  const session = model.sessions.get(id)
  const acquired = await attempt(session === undefined ? 'not-found' : null, () =>
    store.leases.acquire(id, createTestOwner(ownerId)),
  )
  if (session === undefined || acquired === undefined) return
  const held = session.lease
  const isSame = held?.lease.ownerId === ownerId
  const isFree = held === null || isSame || isExpired(model, held)
  assert.equal(acquired.ok, isFree)
  if (!acquired.ok) {
    assert.equal(acquired.owner.id, held?.lease.ownerId)
    return
  }
  assert.deepEqual(acquired.abandoned, isSame ? null : session.work)
  const expiresAt = model.now + store.leases.ttlMs
  if (held !== null && isSame) {
    assert.deepEqual(acquired.lease, held.lease)
    held.expiresAt = expiresAt
    return
  }
  session.lease = { lease: acquired.lease, expiresAt }
  model.leases.push(session.lease)
}

export async function release({ store, model, random }: World): Promise<void> {
  if (model.leases.length === 0) return
  const held = random.pick(model.leases)
  const left = random.chance(0.5) ? null : { step: random.integer(100) }
  await store.leases.release(held.lease, left)
  const session = model.sessions.get(held.lease.sessionId)
  if (session === undefined || !isCurrent(model, held)) return
  session.lease = null
  session.work = left
}

export async function renewAll({ store, model }: World): Promise<void> {
  const lost = await store.leases.renew(model.leases.map(({ lease }) => lease))
  assert.deepEqual(
    lost,
    model.leases.filter((held) => !isCurrent(model, held)).map(({ lease }) => lease),
  )
  for (const held of model.leases) held.expiresAt = model.now + store.leases.ttlMs
}

export async function setWork({ store, model, random }: World): Promise<void> {
  if (model.leases.length === 0) return
  const held = random.pick(model.leases)
  const work = random.chance(0.5) ? null : { step: random.integer(100) }
  await attempt(isCurrent(model, held) ? null : 'lease-lost', () => store.leases.setWork(held.lease, work))
  const session = model.sessions.get(held.lease.sessionId)
  if (session !== undefined && isCurrent(model, held)) session.work = work
}

export async function passTime({ store, model, random, passTime: pass }: World): Promise<void> {
  const ms = random.chance(0.5) ? store.leases.ttlMs + 1 : Math.floor(store.leases.ttlMs / 4)
  await pass(ms)
  model.now += ms
}

export async function readOwner({ store, model, random }: World): Promise<void> {
  const id = random.pick(SESSION_IDS)
  const held = model.sessions.get(id)?.lease ?? null
  const owner = held === null || isExpired(model, held) ? null : held.lease.ownerId
  assert.equal((await store.leases.getOwner(id))?.id ?? null, owner)
}
