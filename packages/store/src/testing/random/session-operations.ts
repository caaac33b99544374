import assert from 'node:assert/strict'
import type { Entry } from '@longhaul/engine/advanced'
import { foldHead } from '../../records/describe-session.ts'
import type { StoreErrorCode } from '../../store-error.ts'
import { START_AT, assistant, compaction, numberLines, settings, toolResult, user } from '../build-entries.ts'
import type { Line } from '../build-entries.ts'
import { attempt } from './attempt.ts'
import { SESSION_IDS, createModelSession, isCurrent } from './model.ts'
import type { ModelSession, World } from './model.ts'

const WORDS = ['walrus', 'harbour', 'café', '東京', 'parseEntry', 'สวัสดี'] as const

export async function create(world: World): Promise<void> {
  const { store, model, random } = world
  const id = random.pick(SESSION_IDS)
  const entries = numberLines(createLines(world, random.integer(4), 0))
  const created = await attempt(model.sessions.has(id) ? 'id-conflict' : null, () =>
    store.sessions.create({ id, createdAt: START_AT, entries }),
  )
  if (created === undefined) return
  const session = createModelSession()
  session.entries.push(...entries)
  model.sessions.set(id, session)
}

/** With every lease there ever was, and now and then with a flaw. */
export async function append(world: World): Promise<void> {
  const { store, model, random } = world
  if (model.leases.length === 0) return
  const held = random.pick(model.leases)
  const session = model.sessions.get(held.lease.sessionId) ?? createModelSession()
  const flaw = random.chance(0.2) ? random.pick(['out-of-order', 'id-conflict', 'epoch-passed'] as const) : null
  const { entries, hasFlaw } = createEntries(world, session, flaw)
  const head = foldHead([...session.entries, ...entries])
  const epoch = flaw === 'epoch-passed' ? head.epoch + 1_000 : foldHead(session.entries).epoch
  const settles = session.inbox.filter(() => random.chance(0.3)).map(({ id }) => id)
  const expected: StoreErrorCode | null = !isCurrent(model, held) ? 'lease-lost' : hasFlaw ? flaw : null
  await attempt(expected, () => store.entries.append({ lease: held.lease, entries, head, settles, epoch }))
  if (expected !== null) return
  session.entries.push(...entries)
  for (const item of session.inbox) if (settles.includes(item.id)) item.isSettled = true
}

export async function hideOrShow({ store, model, random }: World): Promise<void> {
  const id = random.pick(SESSION_IDS)
  const at = random.chance(0.5) ? null : START_AT + random.integer(1_000)
  const session = model.sessions.get(id)
  await attempt(session === undefined ? 'not-found' : null, () => store.sessions.setDeleted(id, at))
  if (session !== undefined) session.deletedAt = at
}

export async function purge({ store, model, random }: World): Promise<void> {
  const id = random.pick(SESSION_IDS)
  await store.sessions.purge(id)
  model.sessions.delete(id)
}

export async function readEntries({ store, model, random }: World): Promise<void> {
  const id = random.pick(SESSION_IDS)
  const entries = model.sessions.get(id)?.entries ?? []
  const [from, to, limit] = [random.integer(10), random.integer(20), 1 + random.integer(5)]
  const fromEnd = random.chance(0.5)
  const within = entries.filter(({ seq }) => seq >= from && seq <= to)
  assert.deepEqual(
    await store.entries.read(id, { from, to, limit, fromEnd }),
    fromEnd ? within.slice(-limit) : within.slice(0, limit),
  )
  const wanted = entries.find(({ seq }) => seq === from)
  assert.deepEqual(await store.entries.find(id, wanted?.id ?? 'unheard of'), wanted ?? null)
}

export async function search({ store, model, random }: World): Promise<void> {
  const word = random.pick(WORDS)
  const found = await store.search.search({ query: word, limit: 1_000 })
  const expected = [...model.sessions]
    .filter(([, { deletedAt }]) => deletedAt === null)
    .flatMap(([id, { entries }]) => entries.filter((entry) => holds(entry, word)).map(({ seq }) => `${id} ${seq}`))
  assert.deepEqual(found.map(({ sessionId, seq }) => `${sessionId} ${seq}`).toSorted(), expected.toSorted())
}

function holds(entry: Entry, word: string): boolean {
  return entry.type === 'message' && JSON.stringify(entry.parts).includes(word)
}

/** Lines that fit the session as it stands, under ids of their own. */
function createLines({ random, createId }: World, count: number, lastSeq: number): readonly Line[] {
  return Array.from({ length: count }, () => {
    const text = `${random.pick(WORDS)} ${random.integer(1_000)}`
    const line = random.pick([
      user(text),
      assistant(text, { input: random.integer(500), output: random.integer(50) }),
      toolResult(text),
      settings({ title: text }),
      { type: 'model-change', model: text } as const,
      { type: 'reset' } as const,
      compaction(lastSeq + 1, text),
    ])
    return { ...line, id: createId() }
  })
}

function createEntries(
  world: World,
  { entries: stored }: ModelSession,
  flaw: 'out-of-order' | 'id-conflict' | 'epoch-passed' | null,
): { readonly entries: readonly Entry[]; readonly hasFlaw: boolean } {
  const lastSeq = stored.length
  const lines = createLines(world, 1 + world.random.integer(3), lastSeq)
  if (flaw === 'out-of-order') return { entries: numberLines(lines, lastSeq + 1), hasFlaw: true }
  const [first, ...others] = lines
  const taken = stored[0]?.id
  if (flaw === 'id-conflict' && first !== undefined && taken !== undefined) {
    return { entries: numberLines([{ ...first, id: taken }, ...others], lastSeq), hasFlaw: true }
  }
  return { entries: numberLines(lines, lastSeq), hasFlaw: flaw === 'epoch-passed' }
}
