import { setImmediate } from 'node:timers/promises'
import { StoreError, createInMemoryStore } from '@longhaul/store'
import { describe, expect, it } from 'vitest'
import type { LogLine } from '../port/agent-options.ts'
import { createEventSink } from './event-sink.ts'

async function open(refuse: () => boolean = () => false) {
  const store = createInMemoryStore()
  await store.sessions.create({ id: 's', createdAt: 1 })
  const acquired = await store.leases.acquire('s', { id: 'test', host: 'test', pid: 1, startedAt: '' })
  if (!acquired.ok) throw new Error('Somebody else has the session.')
  const { lease } = acquired
  const lines: LogLine[] = []
  const adds: number[] = []
  const events = {
    ...store.events,
    add: async (...args: Parameters<typeof store.events.add>) => {
      adds.push(args[2].length)
      if (refuse()) throw new StoreError('unavailable', 'The disk is full.')
      return store.events.add(...args)
    },
  }
  const sink = createEventSink({ events, sessionId: 's', lease, now: () => 1, log: (line) => void lines.push(line) })
  const stored = async () => (await store.events.read('s', 0, 100)).map(({ event }) => event)
  return { store, sink, stored, adds, lines, lease }
}

describe('the event sink', () => {
  it('keeps the order, and joins deltas of one kind and turn', async () => {
    const { sink, stored, adds } = await open()
    for (const text of ['a', 'b']) sink.emit('t', { type: 'text-delta', text })
    sink.emit('t', { type: 'reasoning-delta', text: 'hm' })
    sink.emit('t', { type: 'text-delta', text: 'c' })
    sink.emit('u', { type: 'text-delta', text: 'd' })
    sink.emit('t', { type: 'done' })
    await sink.drain()
    expect(await stored()).toEqual([
      { turnId: 't', type: 'text-delta', text: 'ab' },
      { turnId: 't', type: 'reasoning-delta', text: 'hm' },
      { turnId: 't', type: 'text-delta', text: 'c' },
      { turnId: 'u', type: 'text-delta', text: 'd' },
      { turnId: 't', type: 'done' },
    ])
    expect(adds).toEqual([5])
  })

  it('stores deltas by itself after a moment', async () => {
    const { sink, stored, store } = await open()
    const changed = new Promise<void>((resolve) => store.watch(() => resolve()))
    sink.emit('t', { type: 'text-delta', text: 'a' })
    await changed
    expect(await stored()).toHaveLength(1)
  })

  it('the first words go out at once, those that follow in batches', async () => {
    const { sink, stored, store, adds } = await open()
    const change = () => new Promise<void>((resolve) => store.watch(() => resolve()))
    let changed = change()
    sink.emit('t', { type: 'text-delta', text: 'a' })
    await changed
    changed = change()
    for (const text of ['b', 'c', 'd']) {
      sink.emit('t', { type: 'text-delta', text })
      await setImmediate()
    }
    await changed
    expect(adds).toEqual([1, 1])
    expect(await stored()).toMatchObject([{ text: 'a' }, { text: 'bcd' }])
  })

  it('loses events, not the conversation, where they cannot be stored', async () => {
    const { store, sink, lines } = await open()
    await store.close()
    sink.emit('t', { type: 'done' })
    await sink.drain()
    expect(lines).toMatchObject([
      { level: 'warn', event: 'events-late' },
      { level: 'warn', event: 'events-lost' },
    ])
  })

  it('18.14 tells late what found no room, in order and without the pieces of an answer; says so once', async () => {
    let isFull = true
    const { sink, stored, store, lines } = await open(() => isFull)
    sink.emit('t', { type: 'text-delta', text: 'a' })
    sink.emit('t', { type: 'response-complete', id: 'm', text: 'a' })
    await setImmediate()
    sink.emit('t', { type: 'done' })
    await setImmediate()
    isFull = false
    await new Promise<void>((resolve) => store.watch(() => resolve()))
    expect(await stored()).toMatchObject([{ type: 'response-complete' }, { type: 'done' }])
    await sink.drain()
    expect(lines).toMatchObject([{ event: 'events-late' }])
  })

  it('says nothing more once another owner has the session', async () => {
    const { store, sink, stored, adds, lines, lease } = await open()
    sink.emit('t', { type: 'text-delta', text: 'In time' })
    await sink.drain()
    await store.leases.release(lease)
    for (const text of ['too', 'late']) sink.emit('t', { type: 'retry', attempt: 1, reason: text })
    await sink.drain()
    expect(await stored()).toMatchObject([{ text: 'In time' }])
    await sink.leaseLost
    expect(adds).toHaveLength(2)
    expect(lines).toEqual([])
  })
})
