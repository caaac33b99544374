import { beforeEach, expect, it } from 'vitest'
import { describeStores } from '../../../../test/describe-stores.ts'
import type { Store } from '../port/store.ts'
import { START_AT, user } from '../testing/build-entries.ts'
import { createManifests } from '../testing/build-manifests.ts'
import { dumpText } from '../testing/expectations.ts'
import { fillStore } from '../testing/fill-store.ts'
import { createSession, startSession } from '../testing/session-writer.ts'
import { applyRetention } from './apply-retention.ts'

const DAY_MS = 86_400_000
const LATER = START_AT + 100 * DAY_MS

describeStores('applyRetention', (open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })

  async function putMessage(sessionId: string, id: string) {
    return store.inbox.put({ sessionId, id, at: START_AT, kind: 'message', payload: { text: 'Hello' } })
  }

  it('deletes what has served its time and keeps every session, unless told otherwise', async () => {
    await fillStore(store)
    await store.events.add('talk', START_AT, [{ type: 'a' }, { type: 'b' }])
    const report = await applyRetention(store, { now: LATER })
    // The newest manifest of a session stays.
    expect(report).toMatchObject({ sessions: [], sessionsInUse: [], requests: 2, events: 2, artifacts: 1 })
    expect(await store.sessions.get('hidden')).not.toBeNull()
    expect(await store.inbox.list('talk')).toHaveLength(1)
    expect(await store.events.getLastId('talk')).toBe(2)
    expect(await store.events.read('talk', 0, 10)).toEqual([])
    expect(await store.artifacts.read('talk', 'full')).toBeNull()
  })

  it('keeps what is younger than its age', async () => {
    await createSession(store, 's', user('Hello'))
    await store.events.add('s', LATER - 1_000, [{ type: 'a' }])
    for (const { stored } of createManifests(1)) await store.requests.add('s', { ...stored, at: LATER - DAY_MS })
    const report = await applyRetention(store, { now: LATER, sessionsDays: 101 })
    expect(report).toEqual({ sessions: [], sessionsInUse: [], requests: 0, events: 0, artifacts: 0, settledInbox: 0 })
  })

  it('erases sessions past their time, hidden ones too', async () => {
    for (let index = 0; index < 120; index += 1) await createSession(store, `old-${index}`, user('Hello'))
    await store.sessions.setDeleted('old-7', START_AT)
    await store.sessions.create({ id: 'young', createdAt: LATER - DAY_MS })
    const report = await applyRetention(store, { now: LATER, sessionsDays: 30 })
    expect(report.sessions).toHaveLength(120)
    expect((await store.sessions.list({})).items.map(({ id }) => id)).toEqual(['young'])
    expect((await store.sessions.list({ deleted: true })).items).toEqual([])
  })

  it('leaves no session hidden that it did not erase when it is stopped', async () => {
    for (const id of ['a', 'b', 'c']) await createSession(store, id, user('Hello'))
    const stop = new AbortController()
    const stopping: Store = {
      ...store,
      sessions: {
        ...store.sessions,
        async setDeleted(id, at) {
          await store.sessions.setDeleted(id, at)
          stop.abort(new Error('Enough'))
        },
      },
    }
    const stopped = applyRetention(stopping, { now: LATER, sessionsDays: 30, signal: stop.signal })
    await expect(stopped).rejects.toThrow('Enough')
    expect((await store.sessions.list({})).items).toHaveLength(2)
    expect((await store.sessions.list({ deleted: true })).items).toEqual([])
  })

  it('never erases a session that somebody owns or that a message waits in', async () => {
    await startSession(store, 'owned', user('Hello'))
    await createSession(store, 'waited-for', user('Hello'))
    await putMessage('waited-for', 'm1')
    await createSession(store, 'hidden', user('Hello'))
    await putMessage('hidden', 'm2')
    await store.sessions.setDeleted('hidden', START_AT)
    const before = await dumpText(store)
    const report = await applyRetention(store, { now: LATER, sessionsDays: 30 })
    expect(report.sessions).toEqual([])
    expect(report.sessionsInUse.toSorted()).toEqual(['hidden', 'owned', 'waited-for'])
    expect(await dumpText(store)).toEqual(before)
  })

  it('a message that comes between the look and the purge keeps its session', async () => {
    await createSession(store, 's', user('Hello'))
    let looks = 0
    const late: Store = {
      ...store,
      inbox: {
        ...store.inbox,
        async list(id) {
          const items = await store.inbox.list(id)
          looks += 1
          if (looks === 1) await putMessage('s', 'late')
          return items
        },
      },
    }
    const report = await applyRetention(late, { now: LATER, sessionsDays: 30 })
    expect(report.sessionsInUse).toEqual(['s'])
    expect(await store.sessions.get('s')).toMatchObject({ deletedAt: null })
    expect(await store.inbox.list('s')).toHaveLength(1)
  })

  it('two servers may do it at once', async () => {
    for (let index = 0; index < 20; index += 1) await createSession(store, `old-${index}`, user('Hello'))
    const both = await Promise.all([
      applyRetention(store, { now: LATER, sessionsDays: 30 }),
      applyRetention(store, { now: LATER, sessionsDays: 30 }),
    ])
    expect(new Set(both.flatMap(({ sessions }) => sessions)).size).toBe(20)
    expect(both.flatMap(({ sessionsInUse }) => sessionsInUse)).toEqual([])
    expect(await dumpText(store)).toEqual([])
  })

  it('a message that comes after the last look is refused, not lost', async () => {
    await createSession(store, 's', user('Hello'))
    let outcome: unknown
    const late: Store = {
      ...store,
      sessions: {
        ...store.sessions,
        async purge(id) {
          outcome = await putMessage('s', 'late').catch((error: unknown) => error)
          await store.sessions.purge(id)
        },
      },
    }
    await applyRetention(late, { now: LATER, sessionsDays: 30 })
    expect(outcome).toMatchObject({ code: 'not-found' })
  })

  it.each([
    { now: Number.NaN },
    { now: LATER, sessionsDays: -1 },
    { now: LATER, sessionsDays: 0 },
    { now: LATER, requestsDays: Number.NaN },
    { now: LATER, eventsHours: Infinity },
  ])('refuses times that would delete too much: %j', async (options) => {
    await fillStore(store)
    const before = await dumpText(store)
    await expect(applyRetention(store, options)).rejects.toMatchObject({ code: 'invalid' })
    expect(await dumpText(store)).toEqual(before)
  })

  it('null keeps for ever', async () => {
    await fillStore(store)
    const before = await dumpText(store)
    const kept = {
      sessionsDays: null,
      requestsDays: null,
      eventsHours: null,
      artifactsDays: null,
      settledInboxDays: null,
    }
    await applyRetention(store, { now: LATER, ...kept })
    expect(await dumpText(store)).toEqual(before)
  })
})
