import assert from 'node:assert/strict'
import { foldHead } from '../../records/describe-session.ts'
import type { Store } from '../../port/store.ts'
import { START_AT } from '../build-entries.ts'
import { sharedStoreCase, storeCase } from '../conformance-case.ts'
import type { CaseContext, ConformanceCase, SharedConformanceCase } from '../conformance-case.ts'
import { readDump } from '../expectations.ts'
import * as content from './content-operations.ts'
import * as leases from './lease-operations.ts'
import type { World } from './model.ts'
import { createRandom } from './random.ts'
import * as sessions from './session-operations.ts'

type Operation = (world: World) => Promise<void>

/** How often each comes up, in proportion. */
const OPERATIONS: readonly (readonly [Operation, number])[] = [
  [sessions.create, 6],
  [sessions.append, 20],
  [sessions.hideOrShow, 2],
  [sessions.purge, 1],
  [sessions.readEntries, 6],
  [sessions.search, 4],
  [leases.acquire, 10],
  [leases.release, 3],
  [leases.renewAll, 2],
  [leases.setWork, 3],
  [leases.passTime, 2],
  [leases.readOwner, 3],
  [content.put, 14],
  [content.settle, 2],
  [content.forgetSettled, 1],
  [content.readInbox, 5],
  [content.putArtifact, 6],
  [content.deleteArtifacts, 1],
  [content.readArtifact, 4],
  [content.addEvents, 5],
]

const STEPS = 200

/** Random operations against the store and against a plain model of it. A failure names its seed and its last steps. */
export function createRandomCase(seed: number): ConformanceCase {
  return storeCase(`a store does what its model does, at random (seed ${seed})`, async (context) => {
    await runOperations(context, [context.store], seed)
  })
}

/** The same, each step through one of three stores on the same data. */
export function createSharedRandomCase(seed: number): SharedConformanceCase {
  return sharedStoreCase(`three stores are as one, at random (seed ${seed})`, async (context) => {
    await runOperations(context, [context.store, await context.openAgain(), await context.openAgain()], seed)
  })
}

async function runOperations(context: CaseContext, stores: readonly Store[], seed: number): Promise<void> {
  const world = createWorld(context, seed)
  const bag = OPERATIONS.flatMap(([operation, share]) => Array<Operation>(share).fill(operation))
  const steps: string[] = []
  try {
    for (let step = 0; step < STEPS; step += 1) {
      await beatIfSlow(world)
      const operation = world.random.pick(bag)
      steps.push(operation.name)
      await operation({ ...world, store: world.random.pick(stores) })
    }
    await compareAll(world)
  } catch (error) {
    throw new Error(`Seed ${seed}, step ${steps.length} (${steps.slice(-8).join(', ')}): ${String(error)}`, {
      cause: error,
    })
  }
}

function createWorld(context: CaseContext, seed: number): World & { lastBeatAt: number } {
  let made = 0
  return {
    ...context,
    model: { sessions: new Map(), leases: [], now: 0 },
    random: createRandom(seed),
    lastBeatAt: performance.now(),
    createId() {
      made += 1
      return `n${made}`
    },
  }
}

/** A backend whose clock cannot be held still would let leases run out on a slow machine, unseen by the model. */
async function beatIfSlow(world: World & { lastBeatAt: number }): Promise<void> {
  const { store, model } = world
  if (performance.now() - world.lastBeatAt < store.leases.ttlMs / 5) return
  const held = model.leases.filter(({ lease, expiresAt }) => {
    const current = model.sessions.get(lease.sessionId)?.lease
    return current?.lease === lease && expiresAt > model.now
  })
  await store.leases.renew(held.map(({ lease }) => lease))
  for (const one of held) one.expiresAt = model.now + store.leases.ttlMs
  world.lastBeatAt = performance.now()
}

async function compareAll({ store, model }: World): Promise<void> {
  const records = await readDump(store)
  const ids = records.flatMap((record) => (record.type === 'session' ? [record.id] : []))
  assert.deepEqual(ids.toSorted(), [...model.sessions.keys()].toSorted())
  for (const [id, session] of model.sessions) {
    const stored = await store.sessions.get(id)
    const head = foldHead(session.entries)
    assert.deepEqual([stored?.head, stored?.deletedAt], [head, session.deletedAt])
    assert.equal(stored?.title, head.settings.title ?? null)
    const ofSession = records.filter((record) => 'sessionId' in record && record.sessionId === id)
    assert.deepEqual(
      ofSession.flatMap((record) => (record.type === 'entry' ? [record.entry] : [])),
      session.entries,
    )
    assert.deepEqual(
      new Map(ofSession.flatMap((record) => (record.type === 'artifact' ? [[record.id, record.content]] : []))),
      new Map([...session.artifacts].map(([artifactId, artifact]) => [artifactId, artifact.content])),
    )
    const items = records.flatMap((record) => (record.type === 'inbox' && record.item.sessionId === id ? [record] : []))
    assert.deepEqual(
      items.map(({ item, settledAt }) => `${item.id} ${settledAt === null}`).toSorted(),
      session.inbox.map((item) => `${item.id} ${!item.isSettled}`).toSorted(),
    )
    await store.repairHead(id)
    assert.deepEqual(await store.sessions.get(id), stored)
  }
  assert.equal((await store.sessions.list({ updatedBefore: START_AT })).items.length, 0)
  assert.deepEqual(await store.check(), [])
}
