import type { Entry } from '@longhaul/engine/advanced'
import { beforeEach, expect, it } from 'vitest'
import { describeStores } from '../../../../test/describe-stores.ts'
import type { SessionRecord } from '../port/sessions.ts'
import type { Store } from '../port/store.ts'
import { StoreError } from '../store-error.ts'
import { START_AT, assistant, compaction, user } from '../testing/build-entries.ts'
import { createManifests } from '../testing/build-manifests.ts'
import { fillStore } from '../testing/fill-store.ts'
import { createSession, startSession } from '../testing/session-writer.ts'
import { verifyStore } from './verify-store.ts'

describeStores('verifyStore', (open) => {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })

  /** A store that gives out other entries than it has. */
  function withEntries(change: (entries: readonly Entry[]) => readonly Entry[]): Store {
    const read: Store['entries']['read'] = async (...asked) => change(await store.entries.read(...asked))
    return { ...store, entries: { ...store.entries, read } }
  }

  function withSession(change: (session: SessionRecord) => SessionRecord): Store {
    const get: Store['sessions']['get'] = async (id) => {
      const session = await store.sessions.get(id)
      return session === null ? null : change(session)
    }
    return { ...store, sessions: { ...store.sessions, get } }
  }

  it('finds nothing wrong with a store that is sound, hidden sessions included', async () => {
    await fillStore(store)
    expect(await verifyStore(store)).toEqual({ sessions: 3, entries: 7, problems: [], notices: [], repaired: [] })
  })

  it('reads sessions longer than is held at once, and more of them than a page', async () => {
    const lines = Array.from({ length: 450 }, (_, index) =>
      index % 2 === 0 ? user(`${index}`) : assistant(`${index}`),
    )
    await createSession(store, 'long', ...lines)
    for (let index = 0; index < 60; index += 1) await createSession(store, `short-${index}`, user('Hello'))
    const told: number[] = []
    const report = await verifyStore(store, { onProgress: ({ sessions }) => void told.push(sessions) })
    expect(report).toMatchObject({ sessions: 61, entries: 510, problems: [] })
    expect(told.at(-1)).toBe(61)
  })

  it('is not misled by an owner who goes on writing', async () => {
    const writer = await startSession(store, 's', user('Hello'))
    const read: Store['entries']['read'] = async (...asked) => {
      await writer.write([assistant('More')])
      return store.entries.read(...asked)
    }
    const busy = { ...store, entries: { ...store.entries, read } }
    expect(await verifyStore(busy)).toMatchObject({ problems: [] })
  })

  it('names missing and damaged entries by number and goes on', async () => {
    await createSession(store, 'broken', ...Array.from({ length: 12 }, (_, index) => user(`Message ${index + 1}`)))
    await createSession(store, 'sound', user('Hello'))
    const gone = new Set([2, 3, 4, 9])
    const holed = withEntries((entries) => entries.filter(({ seq }) => entries.length < 2 || !gone.has(seq)))
    expect((await verifyStore(holed)).problems).toMatchObject([
      { sessionId: 'broken', what: 'Entries are missing: 2 to 4, 9.' },
    ])
    const damaged = withEntries((entries) => {
      if (entries.some(({ seq }) => seq === 7)) throw new StoreError('damaged', 'Entry 7 cannot be read.')
      return entries
    })
    const report = await verifyStore(damaged)
    expect(report).toMatchObject({ sessions: 2, entries: 12 })
    expect(report.problems).toMatchObject([{ sessionId: 'broken', what: 'Entries cannot be read: 7.' }])
  })

  it('finds ids that occur twice and references that lead nowhere', async () => {
    await createSession(store, 's', user('One'), user('Two'), user('Three'), compaction(2))
    const changed = withEntries((entries) => entries.map((entry) => (entry.seq === 2 ? { ...entry, id: 'e1' } : entry)))
    expect((await verifyStore(changed)).problems.map(({ what }) => what)).toEqual([
      'Entries have the id of an earlier one: 2.',
      'Not there, though referred to: the first kept message of entry 4.',
    ])
  })

  it('finds a head that is not the fold of its entries, by what is wrong in it', async () => {
    await createSession(store, 's', user('One'), assistant('Two', { input: 10, output: 1 }))
    const changed = withSession((session) => ({
      ...session,
      title: 'Mine',
      preview: 'Something else',
      head: { ...session.head, totals: { ...session.head.totals, messages: 9 } },
    }))
    const { problems } = await verifyStore(changed)
    expect(problems).toMatchObject([
      { sessionId: 's', what: 'The entries say otherwise: head.totals, its title, its preview.' },
    ])
    expect(problems[0]?.advice).toContain('--repair')
  })

  it('finds entries that the head does not know of', async () => {
    await createSession(store, 's', user('One'), user('Two'), user('Three'))
    const behind = withSession((session) => ({ ...session, head: { ...session.head, lastSeq: 2 } }))
    const [problem] = (await verifyStore(behind)).problems
    expect(problem?.what).toContain('the number of its entries')
  })

  it('repairs heads when asked to, and only then', async () => {
    await createSession(store, 's', user('One'))
    const repairs: string[] = []
    const wrong: Store = {
      ...withSession((session) => ({ ...session, head: { ...session.head, cycle: 5 } })),
      async repairHead(id) {
        repairs.push(id)
        await store.repairHead(id)
      },
    }
    expect((await verifyStore(wrong)).repaired).toEqual([])
    expect((await verifyStore(wrong, { repair: true })).repaired).toEqual(['s'])
    expect(repairs).toEqual(['s'])
    expect(await verifyStore(store)).toMatchObject({ problems: [] })
  })

  it('a head that cannot be read is found and repaired, behind a list that cannot be read', async () => {
    await createSession(store, 's', user('One'))
    await createSession(store, 't', user('Two'))
    const isBroken = { value: true }
    const fail = (): never => {
      throw new StoreError('damaged', 'The head of session s cannot be read.')
    }
    const broken: Store = {
      ...store,
      sessions: {
        ...store.sessions,
        get: async (id) => (isBroken.value && id === 's' ? fail() : store.sessions.get(id)),
        list: async (query) => (isBroken.value ? fail() : store.sessions.list(query)),
      },
      async repairHead(id) {
        await store.repairHead(id)
        isBroken.value = false
      },
    }
    const report = await verifyStore(broken, { repair: true })
    expect(report).toMatchObject({ sessions: 2, repaired: ['s'] })
    expect(report.problems.map(({ sessionId }) => sessionId)).toEqual([null, 's'])
    expect(await verifyStore(broken)).toMatchObject({ sessions: 2, problems: [] })
  })

  it('a head of another version is no damage', async () => {
    await createSession(store, 's', user('One'))
    const older = withSession((session) => ({ ...session, head: { ...session.head, foldVersion: 0, cycle: 7 } }))
    const report = await verifyStore(older)
    expect(report.problems).toEqual([])
    expect(report.notices).toMatchObject([{ sessionId: 's' }])
  })

  it('a tool result that retention has deleted is no damage, one whose content is lost is', async () => {
    const part = { type: 'tool-result', toolCallId: 'c', toolName: 't', output: 'cut', artifactId: 'full' } as const
    await createSession(store, 's', { type: 'message', role: 'tool', parts: [part] })
    await store.artifacts.put({ sessionId: 's', id: 'full', at: START_AT, content: 'all of it' })
    expect(await verifyStore(store)).toMatchObject({ problems: [], notices: [] })
    const lost = { ...store, artifacts: { ...store.artifacts, read: async () => null } }
    expect((await verifyStore(lost)).problems).toMatchObject([{ what: 'The content of artifact full is gone.' }])
    await store.artifacts.deleteBefore(START_AT + 1)
    const report = await verifyStore(store)
    expect(report.problems).toEqual([])
    expect(report.notices).toMatchObject([{ sessionId: 's', what: expect.stringContaining('full') as string }])
  })

  it('requests that rest on deleted ones are no damage', async () => {
    await createSession(store, 's', user('One'))
    for (const { stored } of createManifests(3)) await store.requests.add('s', stored)
    expect(await verifyStore(store)).toMatchObject({ problems: [], notices: [] })
    const list: Store['requests']['list'] = async (...asked) => {
      const page = await store.requests.list(...asked)
      return { ...page, items: page.items.filter(({ manifest }) => manifest.number !== 2) }
    }
    const report = await verifyStore({ ...store, requests: { ...store.requests, list } })
    expect(report).toMatchObject({
      problems: [],
      notices: [{ what: '1 of its requests cannot be explained any more.' }],
    })
  })

  it('finds an inbox out of order, and messages that would be answered twice', async () => {
    await createSession(store, 's', user('One', 'm1'))
    const put = (id: string) =>
      store.inbox.put({ sessionId: 's', id, at: START_AT, kind: 'message', payload: { text: 'Hello' } })
    await put('m2')
    await put('m3')
    const wrong: Store = {
      ...store,
      inbox: {
        ...store.inbox,
        list: async (id) =>
          (await store.inbox.list(id)).toReversed().map((item) => (item.id === 'm3' ? { ...item, id: 'm1' } : item)),
      },
    }
    expect((await verifyStore(wrong)).problems.map(({ what }) => what)).toEqual([
      'The order of its inbox is lost.',
      'Messages wait in its inbox that are in the transcript already: m1.',
    ])
  })

  it('says what the backend has found, and ends at its signal', async () => {
    await createSession(store, 's', user('One'))
    const problem = { sessionId: null, what: 'Page 7 is damaged.', advice: 'Restore a backup.' }
    expect((await verifyStore({ ...store, check: async () => [problem] })).problems).toEqual([problem])
    await expect(verifyStore(store, { signal: AbortSignal.abort(new Error('Enough')) })).rejects.toThrow('Enough')
  })
})
