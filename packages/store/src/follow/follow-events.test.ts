import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeSharedStores, describeStores } from '../../../../test/describe-stores.ts'
import type { StoredEvent } from '../port/events.ts'
import type { Store } from '../port/store.ts'
import { START_AT } from '../testing/build-entries.ts'
import { createSession } from '../testing/session-writer.ts'
import { followEvents } from './follow-events.ts'

function numbered(from: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({ n: from + index }))
}

describeStores('followEvents', (open) => {
  let store: Store
  let stop: AbortController
  beforeEach(async () => {
    store = await open()
    stop = new AbortController()
    await createSession(store, 's')
  })
  afterEach(() => stop.abort())

  /** Follows until it has seen this many. */
  async function take(count: number, after = 0, from = store): Promise<readonly StoredEvent[]> {
    const seen: StoredEvent[] = []
    for await (const event of followEvents(from, 's', { after, signal: stop.signal })) {
      seen.push(event)
      if (seen.length === count) break
    }
    return seen
  }

  function countLooks(): { readonly counted: Store; readonly looks: () => number } {
    let looks = 0
    const counted: Store = {
      ...store,
      events: {
        ...store.events,
        read: (...asked) => ((looks += 1), store.events.read(...asked)),
        getLastId: (...asked) => ((looks += 1), store.events.getLastId(...asked)),
      },
    }
    return { counted, looks: () => looks }
  }

  it('catches up after the last one that was seen', async () => {
    await store.events.add('s', START_AT, numbered(1, 5))
    expect(await take(2, 3)).toEqual([
      { id: 4, at: START_AT, event: { n: 4 } },
      { id: 5, at: START_AT, event: { n: 5 } },
    ])
  })

  it('then gives out each event soon after it is added, and none of other sessions', async () => {
    await createSession(store, 'other')
    await store.events.add('s', START_AT, numbered(1, 2))
    const seen = take(5)
    await store.events.add('other', START_AT, numbered(100, 3))
    await store.events.add('s', START_AT, numbered(3, 1))
    await store.events.add('s', START_AT, numbered(4, 2))
    expect((await seen).map(({ event }) => event)).toEqual(numbered(1, 5))
  })

  it('loses none and doubles none, however adding and reading interleave', async () => {
    let run = 0
    const pauses = fc.array(fc.record({ count: fc.integer({ min: 1, max: 400 }), turns: fc.nat(5) }), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(pauses, fc.nat(5), async (batches, slowness) => {
        const id = `run ${(run += 1)}`
        await createSession(store, id)
        const total = batches.reduce((sum, { count }) => sum + count, 0)
        const ids: number[] = []
        const following = (async () => {
          for await (const event of followEvents(store, id, { signal: stop.signal })) {
            ids.push(event.id)
            if (ids.length === total) break
            if (event.id % 50 === 0) await pause(slowness)
          }
        })()
        let added = 0
        for (const { count, turns } of batches) {
          await store.events.add(id, START_AT, numbered(added + 1, count))
          added += count
          await pause(turns)
        }
        await following
        expect(ids).toEqual(Array.from({ length: total }, (_, index) => index + 1))
      }),
      { numRuns: 20 },
    )
  })

  it('a slow reader is given pages: what it has not asked for waits in the store', async () => {
    await store.events.add('s', START_AT, numbered(1, 1_000))
    const { counted, looks } = countLooks()
    const events = followEvents(counted, 's', { signal: stop.signal })
    for (let index = 0; index < 150; index += 1) await events.next()
    expect(looks()).toBe(1)
    await events.return(undefined)
  })

  it('does not look again before something has changed', async () => {
    await store.events.add('s', START_AT, numbered(1, 1))
    const { counted, looks } = countLooks()
    const events = followEvents(counted, 's', { signal: stop.signal })
    await events.next()
    const next = events.next()
    await setTimeout(100)
    // A store may call back too often, but not all the time.
    expect(looks()).toBeLessThan(10)
    await store.events.add('s', START_AT, numbered(2, 1))
    expect((await next).value).toMatchObject({ id: 2 })
    await events.return(undefined)
  })

  it('ends with its signal, waiting or not, and stops watching', async () => {
    let watchers = 0
    const watched: Store = {
      ...store,
      watch(listener) {
        watchers += 1
        const end = store.watch(listener)
        return () => {
          watchers -= 1
          end()
        }
      },
    }
    await store.events.add('s', START_AT, numbered(1, 2))
    const waiting = followEvents(watched, 's', { after: 1, signal: stop.signal })
    await waiting.next()
    const next = waiting.next()
    const reading = followEvents(watched, 's', { signal: stop.signal })
    await reading.next()
    expect(watchers).toBe(2)
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(await reading.next()).toEqual({ done: true, value: undefined })
    expect(await take(1, 0, watched)).toEqual([])
    expect(watchers).toBe(0)
  })

  it('passes over events that retention has deleted', async () => {
    await store.events.add('s', START_AT, numbered(1, 3))
    await store.events.deleteBefore(START_AT + 1)
    const seen = take(1)
    await pause(5)
    await store.events.add('s', START_AT + 1, numbered(4, 1))
    expect(await seen).toMatchObject([{ id: 4 }])
  })

  it('goes on with the new ones where the numbers have begun again', async () => {
    await store.events.add('s', START_AT, numbered(1, 3))
    expect((await take(3, 500)).map(({ id }) => id)).toEqual([1, 2, 3])
    expect((await take(3, Number.NaN)).map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it('what ends the reading of events ends the following of them', async () => {
    await store.close()
    await expect(take(1)).rejects.toMatchObject({ code: 'closed' })
  })
})

describeSharedStores('followEvents of another process', (open) => {
  it('a client of one process sees what another one adds', async () => {
    const { store, openAgain } = await open()
    const stop = new AbortController()
    await createSession(store, 's')
    const events = followEvents(await openAgain(), 's', { signal: stop.signal })
    const seen: unknown[] = []
    for (let count = 1; count <= 3; count += 1) {
      const next = events.next()
      await store.events.add('s', START_AT, numbered(count, 1))
      seen.push((await next).value)
    }
    expect(seen).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3 }])
    stop.abort()
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })
})

/** Lets others have their turn. */
async function pause(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
}
