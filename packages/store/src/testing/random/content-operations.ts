import assert from 'node:assert/strict'
import type { StoreErrorCode } from '../../store-error.ts'
import { START_AT } from '../build-entries.ts'
import { attempt } from './attempt.ts'
import { SESSION_IDS, isCurrent } from './model.ts'
import type { ModelSession, World } from './model.ts'

const ITEM_IDS = Array.from({ length: 12 }, (_, index) => `i${index}`)
const TEXTS = ['one', 'two', '🦊 \u0000 three'] as const
const ARTIFACT_IDS = ['a0', 'a1', 'a2'] as const
const FAR_FUTURE = START_AT * 1_000

export async function put({ store, model, random }: World): Promise<void> {
  const [id, itemId, text] = [random.pick(SESSION_IDS), random.pick(ITEM_IDS), random.pick(TEXTS)]
  const session = model.sessions.get(id)
  const known = session?.inbox.find((item) => item.id === itemId)
  const stored = await attempt(refusalOf(session, itemId, text), () =>
    store.inbox.put({ sessionId: id, id: itemId, at: START_AT, kind: 'message', payload: { text } }),
  )
  if (stored === undefined) return
  assert.equal(stored.status, known === undefined ? 'new' : known.isSettled ? 'settled' : 'waiting')
  if (known === undefined) session?.inbox.push({ id: itemId, text, isSettled: false })
}

export async function settle({ store, model, random }: World): Promise<void> {
  if (model.leases.length === 0) return
  const held = random.pick(model.leases)
  const ids = ITEM_IDS.filter(() => random.chance(0.2))
  const isRefused = !isCurrent(model, held)
  await attempt(isRefused ? 'lease-lost' : null, () => store.inbox.settle(held.lease, ids))
  const inbox = isRefused ? [] : (model.sessions.get(held.lease.sessionId)?.inbox ?? [])
  for (const item of inbox) if (ids.includes(item.id)) item.isSettled = true
}

export async function forgetSettled({ store, model }: World): Promise<void> {
  let forgotten = 0
  for (const { inbox } of model.sessions.values()) {
    const waiting = inbox.filter(({ isSettled }) => !isSettled)
    forgotten += inbox.length - waiting.length
    inbox.splice(0, inbox.length, ...waiting)
  }
  assert.equal(await store.inbox.deleteSettledBefore(FAR_FUTURE), forgotten)
}

export async function readInbox({ store, model, random }: World): Promise<void> {
  const id = random.pick(SESSION_IDS)
  const waiting = (model.sessions.get(id)?.inbox ?? []).filter(({ isSettled }) => !isSettled)
  assert.deepEqual(
    (await store.inbox.list(id)).map((item) => [item.id, item.payload]),
    waiting.map((item) => [item.id, { text: item.text }]),
  )
}

export async function putArtifact({ store, model, random }: World): Promise<void> {
  const [sessionId, id, content] = [random.pick(SESSION_IDS), random.pick(ARTIFACT_IDS), random.pick(TEXTS)]
  const at = START_AT + random.integer(100)
  const artifacts = model.sessions.get(sessionId)?.artifacts
  const held = artifacts?.get(id)
  const conflict = held !== undefined && held.content !== content ? 'id-conflict' : null
  const expected = artifacts === undefined ? 'not-found' : conflict
  await attempt(expected, () => store.artifacts.put({ sessionId, id, at, content }))
  if (expected === null) artifacts?.set(id, { content, at: Math.max(at, held?.at ?? at) })
}

export async function deleteArtifacts({ store, model, random }: World): Promise<void> {
  const before = START_AT + random.integer(60)
  let deleted = 0
  for (const { artifacts } of model.sessions.values()) {
    for (const [id, { at }] of artifacts) if (at < before && artifacts.delete(id)) deleted += 1
  }
  assert.equal(await store.artifacts.deleteBefore(before), deleted)
}

export async function readArtifact({ store, model, random }: World): Promise<void> {
  const [sessionId, id] = [random.pick(SESSION_IDS), random.pick(ARTIFACT_IDS)]
  const content = model.sessions.get(sessionId)?.artifacts.get(id)?.content ?? null
  assert.equal(await store.artifacts.read(sessionId, id), content)
}

export async function addEvents({ store, model, random }: World): Promise<void> {
  const id = random.pick(SESSION_IDS)
  const session = model.sessions.get(id)
  const events = Array.from({ length: random.integer(4) }, () => ({ number: random.integer(1_000) }))
  const lastId = await attempt(session === undefined ? 'not-found' : null, () => store.events.add(id, START_AT, events))
  session?.events.push(...events)
  if (session === undefined) return
  assert.equal(lastId, session.events.length)
  assert.deepEqual(
    (await store.events.read(id, 0, 1_000)).map(({ event }) => event),
    session.events,
  )
}

function refusalOf(session: ModelSession | undefined, id: string, text: string): StoreErrorCode | null {
  if (session === undefined || session.deletedAt !== null) return 'not-found'
  const known = session.inbox.find((item) => item.id === id)
  return known !== undefined && known.text !== text ? 'id-conflict' : null
}
