// node writer.ts '{ "file", "seed", "sessionIds" }': appends, compacts and takes messages for ever, as fast as it can, and
// tells of each step once the store has promised it. It ends when its input does, or when it is killed.
import { createOwner } from '../../packages/store/src/owner/owner.ts'
import { createSqliteStore } from '../../packages/store/src/sqlite/create-sqlite-store.ts'
import { START_AT, assistant, user } from '../../packages/store/src/testing/build-entries.ts'
import { createRandom } from '../../packages/store/src/testing/random/random.ts'
import { compactionOf, takeSession } from '../store-load/owned-session.ts'
import type { OwnedSession } from '../store-load/owned-session.ts'
import { tell } from '../store-load/report.ts'
import { createStopSignal } from '../store-load/stop-signal.ts'

export interface WriterArgument {
  readonly file: string
  readonly seed: number
  readonly sessionIds: readonly string[]
}

const { file, seed, sessionIds } = JSON.parse(process.argv[2] ?? '') as WriterArgument
const random = createRandom(seed)
const owner = createOwner()
const store = await createSqliteStore({ file })
const stop = createStopSignal()
let puts = 0
tell({ type: 'ready', ownerId: owner.id })
await Promise.all(sessionIds.map(tend))
await store.close()

async function tend(sessionId: string): Promise<void> {
  const session = await takeSession({ store, sessionId, owner })
  if (session === null) throw new Error(`Session ${sessionId} still belongs to a process that was killed.`)
  while (!stop.aborted) {
    const luck = random.integer(10)
    if (luck < 4) await append(session)
    else if (luck < 6) await answer(session)
    else if (luck < 8) await compact(session)
    else if (luck < 9) await put(sessionId)
    else await keepOutput(sessionId)
  }
}

async function append(session: OwnedSession): Promise<void> {
  const lines = Array.from({ length: 1 + random.integer(4) }, () => assistant(someText()))
  await session.append(lines)
}

/** What waits becomes entries, in the order it came, in the step that answers it. */
async function answer(session: OwnedSession): Promise<void> {
  const { sessionId } = session.lease
  await put(sessionId)
  const items = await store.inbox.list(sessionId)
  const messages = items.map(({ id, payload }) => user(String(payload['text']), id))
  await session.append([...messages, assistant(someText())], { settles: items.map(({ id }) => id) })
}

/** Noted before it starts, and stored in one step. */
async function compact(session: OwnedSession): Promise<void> {
  const { lease } = session
  const { sessionId } = lease
  const state = session.getState()
  const work = { work: 'compaction', at: state.head.lastSeq }
  await store.leases.setWork(lease, work)
  tell({ type: 'work', sessionId, work })
  await session.append([compactionOf(state, someText())], { epoch: state.head.epoch })
  tell({ type: 'work', sessionId, work: null })
  await store.leases.setWork(lease, null)
}

async function put(sessionId: string): Promise<void> {
  puts += 1
  const id = `m${process.pid}.${seed}.${puts}`
  const payload = { text: someText() }
  const { item } = await store.inbox.put({ sessionId, id, at: START_AT + puts, kind: 'message', payload })
  tell({ type: 'put', item })
}

async function keepOutput(sessionId: string): Promise<void> {
  const content = someText()
    .toWellFormed()
    .repeat(1 + random.integer(20))
  const { id } = await store.artifacts.put({ sessionId, at: START_AT, content })
  tell({ type: 'artifact', sessionId, id, content })
}

function someText(): string {
  const words = ['harbour', 'fox', 'ещё', '東京', 'écluse', '🦊', 'a "quoted" word', '\u2028', 'half \ud83d', '17.5 %']
  return Array.from({ length: 10 + random.integer(60) }, () => random.pick(words)).join(' ')
}
