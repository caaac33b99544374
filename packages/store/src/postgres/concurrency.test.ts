import { createState, foldEntries } from '@longhaul/engine/advanced'
import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../test/postgres/describe-with-postgres.ts'
import { openTestStore } from '../../../../test/postgres/open-test-store.ts'
import type { Store } from '../port/store.ts'
import { foldHead } from '../records/describe-session.ts'
import { StoreError } from '../store-error.ts'
import { assistant, compaction, numberLines, user } from '../testing/build-entries.ts'
import type { Line } from '../testing/build-entries.ts'
import { createSession, createTestOwner } from '../testing/session-writer.ts'

const SESSIONS = ['s0', 's1', 's2']
const ROUNDS = 25

/** What one owner was told: acknowledged, or refused for good. */
interface Told {
  readonly stored: string[]
  readonly refused: string[]
}

/** Takes whatever session it gets and writes to it, a compaction now and then, until it is refused or gives it back. */
async function raceForSessions(store: Store, name: string, told: Told): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const sessionId = SESSIONS[Math.floor(Math.random() * SESSIONS.length)] ?? 's0'
    const acquired = await store.leases.acquire(sessionId, createTestOwner(`${name}-${round}`))
    if (!acquired.ok) continue
    let state = foldEntries(await store.entries.read(sessionId, {}), createState())
    for (let step = 0; step < 4; step += 1) {
      const id = `${name}-${round}-${step}`
      const line: Line = step === 2 ? { ...compaction(1), id } : user(`${name} says ${round}`, id)
      const entries = numberLines([line], state.head.lastSeq)
      const next = foldEntries(entries, state)
      const key = `${sessionId} ${id}`
      try {
        const epoch = step === 2 ? { epoch: state.head.epoch } : {}
        await store.entries.append({ lease: acquired.lease, entries, head: next.head, ...epoch })
        told.stored.push(key)
        state = next
      } catch (error) {
        expect(error).toBeInstanceOf(StoreError)
        expect((error as StoreError).code).toBe('lease-lost')
        told.refused.push(key)
        break
      }
    }
    if (Math.random() < 0.5) await store.leases.release(acquired.lease)
  }
}

describeWithPostgres('several servers on one PostgreSQL', (database) => {
  it.each([2, 4])(
    'write the same sessions, %i at once: order kept, nothing lost, late owners refused',
    async (servers) => {
      const { store, schema, openAgain } = await openTestStore(database)
      const others = await Promise.all(Array.from({ length: servers - 1 }, () => openAgain()))
      for (const id of SESSIONS) await createSession(store, id, user('hello'))
      const told: Told = { stored: [], refused: [] }
      const racing = [store, ...others].map((one, index) => raceForSessions(one, `server${index}`, told))
      // Owners that seem to have died, while they are at work.
      const over = new AbortController()
      const disturbing = (async () => {
        while (!over.signal.aborted) {
          await database.query(
            `update ${schema}.leases set expires_at = now() where session_id = 's' || floor(random() * 3)::integer`,
          )
        }
      })()
      await Promise.all(racing)
      over.abort()
      await disturbing

      const found: string[] = []
      for (const id of SESSIONS) {
        const entries = await store.entries.read(id, {})
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1))
        expect((await store.sessions.get(id))?.head).toEqual(foldHead(entries))
        found.push(...entries.slice(1).map((entry) => `${id} ${entry.id}`))
      }
      expect(found.toSorted()).toEqual(told.stored.toSorted())
      expect(told.stored.length).toBeGreaterThan(servers * 4)
      expect(await store.check()).toEqual([])
    },
  )

  it('of compactions prepared for the same epoch, exactly one wins', async () => {
    const { store, openAgain } = await openTestStore(database)
    const stores = [store, await openAgain(), await openAgain(), await openAgain()]
    for (let round = 0; round < 10; round += 1) {
      const id = `s${round}`
      await createSession(store, id, user('one'), assistant('two'), user('three'))
      const acquired = await store.leases.acquire(id, createTestOwner('owner'))
      if (!acquired.ok) expect.fail('Nobody else is there.')
      const { lease } = acquired
      const state = foldEntries(await store.entries.read(id, {}))
      const outcomes = await Promise.allSettled(
        stores.map((one, index) => {
          const entries = numberLines([{ ...compaction(2), id: `compaction-${index}` }], state.head.lastSeq)
          const { head } = foldEntries(entries, state)
          return one.entries.append({ lease, entries, head, epoch: state.head.epoch })
        }),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const entries = await store.entries.read(id, {})
      expect(entries.filter(({ type }) => type === 'compaction')).toHaveLength(1)
      expect((await store.sessions.get(id))?.head).toEqual(foldHead(entries))
    }
  })

  it('of owners that ask at the same moment, exactly one gets the session, and tokens grow', async () => {
    const { store, openAgain } = await openTestStore(database)
    const stores = [store, await openAgain(), await openAgain(), await openAgain()]
    await createSession(store, 's1')
    let lastToken = 0
    for (let round = 0; round < 15; round += 1) {
      const answers = await Promise.all(
        stores.flatMap((one, index) =>
          [0, 1].map((twin) => one.leases.acquire('s1', createTestOwner(`${round}-${index}-${twin}`))),
        ),
      )
      const [winner, ...rest] = answers.flatMap((answer) => (answer.ok ? [answer.lease] : []))
      expect(rest).toEqual([])
      expect(winner?.token).toBeGreaterThan(lastToken)
      lastToken = winner?.token ?? lastToken
      if (winner !== undefined) await store.leases.release(winner)
    }
  })

  it('delete the contents of artifacts and store them again at the same time, and no artifact loses its content', async () => {
    const { store, openAgain } = await openTestStore(database)
    const other = await openAgain()
    for (const id of ['a', 'b']) await createSession(store, id)
    await Promise.all([
      ...Array.from({ length: 30 }, () => other.artifacts.deleteBefore(10)),
      ...Array.from({ length: 30 }, (_, index) =>
        store.artifacts.put({
          sessionId: index % 2 === 0 ? 'a' : 'b',
          at: index % 3 === 0 ? 20 : 5,
          content: 'the same',
        }),
      ),
    ])
    for (const id of ['a', 'b']) {
      const [artifact] = await store.artifacts.list(id)
      expect(artifact?.at).toBe(20)
      expect(await store.artifacts.read(id, artifact?.id ?? '')).toBe('the same')
    }
    expect(await store.check()).toEqual([])
  })
})
