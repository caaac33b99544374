import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreError, createInMemoryStore, createSqliteStore } from '@longhaul/store'
import type { Store } from '@longhaul/store/port'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SMALL_TALK } from '../testing/fill-session.ts'
import { collectTurn, messagesOf, textOf } from '../testing/start-agent.ts'
import { useAgents } from '../testing/use-agents.ts'
import { waitForEvent, waitUntil } from '../testing/wait-for.ts'

const start = useAgents()
const named = { title: 'named' }

/** A store whose leases run out when the test says so, and whose owners look around often. */
function createSharedStore(): { readonly store: Store; readonly passTime: (ms: number) => void } {
  let now = Date.now()
  const inner = createInMemoryStore({ clock: () => now })
  const store = { ...inner, leases: { ...inner.leases, beatMs: 10 } }
  return { store, passTime: (ms) => void (now += ms) }
}

describe('two processes on one session', () => {
  it('one works; what the other is sent waits in order and is answered once', async () => {
    const { store } = createSharedStore()
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const first = start({
      store,
      script: async (_request, index) => {
        resolve()
        await opened
        return `First ${index}`
      },
    })
    const second = start({ store, script: () => 'Second' })
    const { id } = await first.agent.createSession(named)
    await first.agent.send(id, { id: 'm1', text: 'One' })
    await asked
    const sent = await second.agent.send(id, { id: 'm2', text: 'Two' })
    const compacting = second.agent.request(id, 'compact', {})
    open()
    const events = await collectTurn(store, id, 'm2', sent.afterEvent)
    const types = events.map(({ type }) => type)
    expect(types).toContain('response-complete')
    expect(types, 'the other process was answering').toContain('queued')
    expect(await compacting).toMatchObject({ ok: false, code: 'nothing-to-compact' })
    const messages = messagesOf(await first.entries(id))
    expect(messages.map(textOf)).toEqual(['One', 'First 0', 'Two', 'First 1'])
    expect(second.model.calls).toHaveLength(0)
    const unhurried = await second.say(id, 'Three')
    expect(unhurried.map(({ type }) => type)).not.toContain('queued')
  })

  it('a cancel that reaches the other one gets through', async () => {
    const { store } = createSharedStore()
    const first = start({
      store,
      script: () => ({ text: ['Once ', 'upon'], breaksOff: { afterPieces: 1, how: 'hang' } }),
    })
    const second = start({ store })
    const { id } = await first.agent.createSession(named)
    const { afterEvent } = await first.agent.send(id, { id: 'm1', text: 'Tell me' })
    await waitForEvent(store, id, 'text-delta')
    await second.agent.cancel(id)
    await collectTurn(store, id, 'm1', afterEvent)
    expect(messagesOf(await first.entries(id)).at(-1)).toMatchObject({ finish: 'aborted' })
  })

  it('what waits for an owner that died is taken over by itself', async () => {
    const { store, passTime } = createSharedStore()
    const { id } = await start({ store }).agent.createSession(named)
    // An owner that is gone without a word.
    await store.leases.acquire(id, { id: 'gone', host: 'elsewhere', pid: 1, startedAt: '' })
    await store.inbox.put({ sessionId: id, id: 'm1', at: 1, kind: 'message', payload: { text: 'Hello?' } })
    passTime(store.leases.ttlMs + 1)
    const { text } = await waitForEvent(store, id, 'response-complete')
    expect(text).toBe('Fine.')
  })

  it('an owner that has lost its session writes nothing more, and the other answers', async () => {
    const { store, passTime } = createSharedStore()
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    // It does not look around, as a process that was asleep.
    const asleep = { ...store, leases: { ...store.leases, beatMs: 1_000_000 } }
    const first = start({
      store: asleep,
      script: async () => {
        resolve()
        await opened
        return 'Too late'
      },
    })
    const { id } = await first.agent.createSession(named)
    await first.agent.send(id, { id: 'm1', text: 'One' })
    await asked
    passTime(store.leases.ttlMs + 1)
    const second = start({ store, script: () => 'In time' })
    await second.agent.resume(id)
    await waitForEvent(store, id, 'response-complete')
    open()
    await first.agent.close()
    expect(messagesOf(await second.entries(id)).map(textOf)).toEqual(['One', 'In time'])
    const events = (await store.events.read(id, 0, 100)).map(({ event }) => event)
    expect(events.filter(({ type }) => type === 'error')).toEqual([])
    const told = events.filter(({ type }) => type === 'text-delta').map(({ text }) => text)
    expect(told.join('')).toBe('In time')
  })

  it('an owner that has lost its session stops at once, without waiting for its model', async () => {
    const { store, passTime } = createSharedStore()
    const asleep = { ...store, leases: { ...store.leases, beatMs: 1_000_000 } }
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const first = start({
      store: asleep,
      script: async () => {
        ask()
        await opened
        return { text: ['Too ', 'late'], breaksOff: { afterPieces: 2, how: 'hang' } }
      },
    })
    const { id } = await first.agent.createSession(named)
    await first.agent.send(id, { id: 'm1', text: 'One' })
    await asked
    passTime(store.leases.ttlMs + 1)
    const second = start({ store, script: () => 'In time' })
    await second.agent.resume(id)
    await waitForEvent(store, id, 'response-complete')
    open()
    while (first.agent.countBusy() > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(messagesOf(await second.entries(id)).map(textOf)).toEqual(['One', 'In time'])
  })
})

describe('a request to an owner that loses its session meanwhile', () => {
  it('is carried out by the other, once, and whoever waits hears of it', async () => {
    const { store, passTime } = createSharedStore()
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    const asleep = { ...store, leases: { ...store.leases, beatMs: 1_000_000 } }
    const summary = '<summary>\n+ Goal: water the beds\n</summary>'
    const policy = { compaction: { prepareRatio: 'off', memoryFlush: { enabled: false } } }
    const first = start({
      store: asleep,
      policy,
      script: async ({ tools = [] }) => {
        if (tools.length > 0) return 'Noted.'
        await opened
        return summary
      },
    })
    const { id } = await first.agent.createSession(named)
    for (let turn = 1; turn <= 45; turn += 1) await first.say(id, `Message ${turn}. ${SMALL_TALK}`)
    const outcome = first.agent.request(id, 'compact', {}, { id: 'c1' })
    await waitForEvent(store, id, 'compact-started')
    passTime(store.leases.ttlMs + 1)
    const second = start({ store, policy, script: () => summary })
    await second.agent.resume(id)
    expect(await outcome).toMatchObject({ ok: true })
    open()
    await first.agent.close()
    const entries = await second.entries(id)
    expect(entries.filter(({ type }) => type === 'compaction')).toHaveLength(1)
    const told = (await store.events.read(id, 0, 1_000)).map(({ event }) => event)
    expect(told.filter(({ type }) => type === 'request-settled')).toMatchObject([{ id: 'c1' }])
    expect(told.filter(({ type }) => String(type).startsWith('compact-'))).toMatchObject([
      { type: 'compact-started' },
      { type: 'compact-completed', didCompact: false },
      { type: 'compact-started' },
      { type: 'compact-completed', didCompact: true },
    ])
  })
})

describe('two processes on one database file', () => {
  it('answer what either is sent, each message once and in its order', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'longhaul-agents-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'longhaul.db')
    const stores = [await createSqliteStore({ file }), await createSqliteStore({ file })]
    const agents = stores.map((store, index) => start({ store, script: () => `By ${index}`, idleMs: 5 }))
    const [one, two] = agents as [(typeof agents)[0], (typeof agents)[0]]
    const { id } = await one.agent.createSession(named)
    const sent: string[] = []
    for (let index = 0; index < 20; index += 1) {
      const { agent } = index % 2 === 0 ? one : two
      await agent.send(id, { id: `m${index}`, text: `Message ${index}` })
      sent.push(`Message ${index}`)
    }
    await waitUntil(one.store, async () => messagesOf(await one.entries(id)).length === 40)
    const messages = messagesOf(await two.entries(id))
    expect(messages.filter(({ role }) => role === 'user').map(textOf)).toEqual(sent)
    expect(messages.map(({ role }) => role)).toEqual(sent.flatMap(() => ['user', 'assistant']))
  })
})

describe('a session that cannot be worked on', () => {
  it('is tried again, more slowly; whoever waits hears why; its message is answered in the end', async () => {
    let isDown = true
    const under = start({
      surroundingsFor: async () => {
        if (isDown) throw new Error('the workspace is not mounted')
        return { system: 'You help.', files: [] }
      },
    })
    const { id } = await under.agent.createSession(named)
    const { afterEvent } = await under.agent.send(id, { id: 'm1', text: 'Hello' })
    expect(await waitForEvent(under.store, id, 'error')).toMatchObject({ code: 'internal' })
    expect(under.lines).toContainEqual(expect.objectContaining({ message: 'the workspace is not mounted' }))
    expect(await under.store.leases.getOwner(id)).toBeNull()
    isDown = false
    const events = await collectTurn(under.store, id, 'm1', afterEvent)
    expect(events.map(({ type }) => type)).toContain('response-complete')
  })

  it('goes on with a turn that the store broke off in the middle', async () => {
    const under = start({ script: () => 'Here.' })
    const { id } = await under.agent.createSession(named)
    const append = under.store.entries.append.bind(under.store.entries)
    let failures = 0
    under.store.entries.append = async (step) => {
      const isAnswer = step.entries.some((entry) => entry.type === 'message' && entry.role === 'assistant')
      // The answer, and the note that there is none.
      if (isAnswer && (failures += 1) <= 2) throw Object.assign(new Error('disk full'), { name: 'StoreError' })
      return append(step)
    }
    const { afterEvent } = await under.agent.send(id, { id: 'm1', text: 'Hello' })
    const events = await collectTurn(under.store, id, 'm1', afterEvent)
    const types = events.map(({ type }) => type)
    expect(events.find(({ type }) => type === 'error')).toMatchObject({ code: 'store-unavailable' })
    expect(types.indexOf('error')).toBeLessThan(types.indexOf('response-complete'))
    expect(messagesOf(await under.entries(id)).map(textOf)).toEqual(['Hello', 'Here.'])
  })
})

describe('a session that is deleted while it is worked on', () => {
  it('its turn is cancelled, what waits is not begun; once restored, it goes on', async () => {
    const { store } = createSharedStore()
    const under = start({
      store,
      script: (_request, index) =>
        index === 0 ? { text: ['Once ', 'upon'], breaksOff: { afterPieces: 1, how: 'hang' } } : 'Here.',
    })
    const { id } = await under.agent.createSession(named)
    const { afterEvent } = await under.agent.send(id, { id: 'm1', text: 'Tell me' })
    await waitForEvent(store, id, 'text-delta')
    await under.agent.send(id, { id: 'm2', text: 'Then?' })
    await store.sessions.setDeleted(id, 1)
    await collectTurn(store, id, 'm1', afterEvent)
    await waitUntil(store, async () => (await store.leases.getOwner(id)) === null)
    expect(messagesOf(await under.entries(id)).map(textOf)).toEqual(['Tell me', 'Once '])
    expect((await store.inbox.list(id)).map((item) => item.id)).toEqual(['m2'])
    expect(under.model.calls).toHaveLength(1)
    await store.sessions.setDeleted(id, null)
    await waitForEvent(store, id, 'response-complete')
    expect(
      messagesOf(await under.entries(id))
        .map(textOf)
        .slice(2),
    ).toEqual(['Then?', 'Here.'])
  })
})

describe('a session nobody writes to', () => {
  it('is given back after a while, and taken again with the next message', async () => {
    const under = start({ idleMs: 10 })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'One')
    await waitUntil(under.store, async () => (await under.store.leases.getOwner(id)) === null)
    expect((await under.say(id, 'Two')).map(({ type }) => type)).toContain('response-complete')
  })

  it('a hundred of them come and go, and nothing is left behind', async () => {
    const store = createInMemoryStore()
    let watchers = 0
    const counting: Store = {
      ...store,
      watch: (listener) => {
        watchers += 1
        const stop = store.watch(listener)
        return () => {
          watchers -= 1
          stop()
        }
      },
    }
    const under = start({ store: counting, idleMs: 1 })
    const ids = await Promise.all(Array.from({ length: 100 }, async () => (await under.agent.createSession(named)).id))
    await Promise.all(ids.map((id) => under.say(id, 'Hello')))
    await waitUntil(store, async () =>
      (await Promise.all(ids.map((id) => store.leases.getOwner(id)))).every((owner) => owner === null),
    )
    await under.agent.close()
    expect(watchers).toBe(0)
  })
})

describe('a store that takes nothing for a while', () => {
  const POLL = { timeout: 30_000 }

  /** Writes to these rooms are refused while it is full; reading goes on. */
  function createFullStore() {
    const inner = createInMemoryStore()
    const state = { isFull: false, refusals: 0 }
    const refuseWhenFull = (): void => {
      if (!state.isFull) return
      state.refusals += 1
      throw new StoreError('unavailable', 'The disk is full.', { isFull: true })
    }
    const guard = <Room extends object>(room: Room, writes: readonly string[]): Room =>
      new Proxy(room, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key)
          if (typeof value !== 'function' || !writes.includes(String(key))) return value
          return async (...args: readonly unknown[]): Promise<unknown> => {
            refuseWhenFull()
            return Reflect.apply(value, target, args) as unknown
          }
        },
      })
    const store: Store = guard(
      {
        ...inner,
        entries: guard(inner.entries, ['append']),
        events: guard(inner.events, ['add']),
        inbox: guard(inner.inbox, ['settle']),
        leases: guard(inner.leases, ['acquire', 'release']),
      },
      ['probe'],
    )
    return { store, state, inner }
  }

  it('18.14 answers a message once, asks no model meanwhile, and needs no restart', async () => {
    const { store, state } = createFullStore()
    const under = start({
      store,
      script: (_, index) => {
        state.isFull = index === 0
        return `Answer ${index}`
      },
    })
    const { id } = await under.agent.createSession(named)
    await under.agent.send(id, { id: 'm1', text: 'Hello' })
    await expect.poll(() => state.refusals, POLL).toBeGreaterThan(3)
    expect(await under.agent.checkStore()).toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('full') as string,
    })
    expect(under.model.calls).toHaveLength(1)
    state.isFull = false
    await expect.poll(async () => messagesOf(await under.entries(id)).length, POLL).toBe(2)
    expect(messagesOf(await under.entries(id)).map(textOf)).toEqual(['Hello', 'Answer 1'])
    expect(await under.agent.checkStore()).toBeNull()
  })

  it('18.14 takes a session up again that could not even be opened', async () => {
    const { store, state, inner } = createFullStore()
    const under = start({ store })
    const { id } = await under.agent.createSession(named)
    state.isFull = true
    await inner.inbox.put({ sessionId: id, id: 'm1', at: 0, kind: 'message', payload: { text: 'Hello' } })
    await under.agent.resume(id)
    await expect.poll(() => state.refusals, POLL).toBeGreaterThan(1)
    state.isFull = false
    await expect.poll(async () => messagesOf(await under.entries(id)).length, POLL).toBe(2)
  })

  it('18.14 a request that cannot be settled is not begun again and again, and its asker is told', async () => {
    const { store, state } = createFullStore()
    const under = start({ store })
    const { id } = await under.agent.createSession(named)
    await under.say(id, 'Hello')
    const compacting = under.agent.request(id, 'compact', {})
    state.isFull = true
    await expect(compacting).rejects.toMatchObject({ code: 'store-unavailable' })
    const problems = under.lines.filter(({ event }) => event === 'request-failed' || event === 'session-failed')
    expect(problems.length).toBeLessThan(10)
    state.isFull = false
    await expect.poll(async () => (await store.inbox.list(id)).length, POLL).toBe(0)
  })
})
