// node contender.ts '{ "place", "seed", "sessionIds" }': one of several processes that want the same sessions. It takes each
// it can get, writes to it, compacts it, dawdles and gives it back; to the others it sends messages. It ends when its
// input does, or when it is killed.
import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from '@longhaul/store/port'
import { createOwner } from '../../packages/store/src/owner/owner.ts'
import { createPostgresStore } from '../../packages/store/src/postgres/create-postgres-store.ts'
import { createSqliteStore } from '../../packages/store/src/sqlite/create-sqlite-store.ts'
import { StoreError } from '../../packages/store/src/store-error.ts'
import { START_AT, assistant, user } from '../../packages/store/src/testing/build-entries.ts'
import { createRandom } from '../../packages/store/src/testing/random/random.ts'
import { compactionOf, takeSession } from '../store-load/owned-session.ts'
import type { OwnedSession } from '../store-load/owned-session.ts'
import { tell } from '../store-load/report.ts'
import { createStopSignal } from '../store-load/stop-signal.ts'

export interface ContenderArgument {
  readonly place: Place
  readonly seed: number
  readonly sessionIds: readonly string[]
}

export type Place =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly schema: string }

const MAX_STEPS = 12
const MAX_ANSWERED = 5
const MAX_STALL_MS = 250

const { place, seed, sessionIds } = JSON.parse(process.argv[2] ?? '') as ContenderArgument
const random = createRandom(seed)
const owner = createOwner()
const store: Store =
  place.kind === 'sqlite' ? await createSqliteStore(place) : await createPostgresStore({ ...place, poolSize: 4 })
const stop = createStopSignal()
let sent = 0
tell({ type: 'ready', ownerId: owner.id })
await Promise.all(sessionIds.map(contend))
await store.close()

async function contend(sessionId: string): Promise<void> {
  while (!stop.aborted) {
    const session = await takeSession({ store, sessionId, owner }).catch(orLost)
    if (session === null) {
      await send(sessionId)
      await wait(5 + random.integer(15))
    } else {
      await own(session).catch(orLost)
    }
  }
}

async function own(session: OwnedSession): Promise<void> {
  for (let left = random.integer(MAX_STEPS); left > 0; left -= 1) await takeStep(session)
  await session.release()
}

async function takeStep(session: OwnedSession): Promise<void> {
  const luck = random.integer(10)
  if (luck < 3) await answer(session)
  else if (luck < 5) await session.append([assistant('one'), assistant('two')])
  else if (luck < 7) await compact(session)
  else if (luck < 8) await store.leases.renew([session.lease])
  else await stall()
}

async function answer(session: OwnedSession): Promise<void> {
  const items = (await store.inbox.list(session.lease.sessionId)).slice(0, MAX_ANSWERED)
  const messages = items.map(({ id, payload }) => user(String(payload['text']), id))
  await session.append([...messages, assistant('answer')], { settles: items.map(({ id }) => id) })
}

/** Three that were prepared for the same base: two at once, and one that was written down when it was too late. */
async function compact(session: OwnedSession): Promise<void> {
  const { lease } = session
  const { sessionId } = lease
  const state = session.getState()
  const { epoch } = state.head
  const work = { work: 'compaction', epoch }
  await store.leases.setWork(lease, work)
  tell({ type: 'work', sessionId, work })
  if (random.chance(0.3)) await stall()
  const rivals = ['first', 'second'].map((text) => session.appendOn(state, [compactionOf(state, text)], { epoch }))
  const outcomes = await Promise.allSettled(rivals)
  const late = session.append([compactionOf(state, 'late')], { epoch })
  for (const outcome of [...outcomes, ...(await Promise.allSettled([late]))]) {
    if (outcome.status === 'rejected' && !isCode(outcome.reason, 'out-of-order', 'epoch-passed')) throw outcome.reason
  }
  tell({ type: 'work', sessionId, work: null })
  await store.leases.setWork(lease, null)
}

/** Long enough for somebody else to take over. */
async function stall(): Promise<void> {
  await wait(random.integer(MAX_STALL_MS))
}

async function send(sessionId: string): Promise<void> {
  sent += 1
  const id = `m${process.pid}.${sent}`
  const { item } = await store.inbox.put({ sessionId, id, at: START_AT, kind: 'message', payload: { text: id } })
  tell({ type: 'put', item })
}

/** A late owner stops, and asks for the session again. */
function orLost(error: unknown): null {
  if (isCode(error, 'lease-lost')) return null
  throw error
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof StoreError && codes.includes(error.code)
}
