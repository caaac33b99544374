import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Store } from '../port/store.ts'
import { settings, user } from '../testing/build-entries.ts'
import { createSession, startSession } from '../testing/session-writer.ts'
import { inFolder } from './testing/in-folder.ts'

describe('message index', () => {
  it('takes up what waits before a search, in this process or another', async () => {
    await inFolder(async ({ file, open }) => {
      const [first, second] = [await open(), await open()]
      await createSession(first, 's1', user('a walrus'), settings({ title: 'Arctic' }))
      expect(countWaiting(file)).toBe(1)
      expect(await findSeqs(second, 'walrus')).toEqual([1])
      expect(countWaiting(file)).toBe(0)
      expect((await first.sessions.list({ query: 'arctic' })).items.length).toBe(1)
    })
  })

  it('takes up what waits by itself before long', async () => {
    await inFolder(async ({ file, open }) => {
      await createSession(await open(), 's1', user('a walrus'))
      while (countWaiting(file) > 0) await setTimeout(50)
      expect(countWaiting(file)).toBe(0)
    })
  })

  it('finds other forms of an English word', async () => {
    await inFolder(async ({ open }) => {
      const store = await open()
      await createSession(store, 's1', user('The tests were failing'), user('Le test échoue'))
      expect(await findSeqs(store, 'test fails')).toEqual([1, 2])
    })
  })

  it('goes on with a rebuild that was broken off', async () => {
    await inFolder(async ({ open }) => {
      const store = await open()
      const lines = Array.from({ length: 450 }, (_, n) => user(`walrus ${n}`))
      await createSession(store, 's1', ...lines, settings({ title: 'Arctic' }))
      await store.search.search({ query: 'walrus' })
      await expect(store.search.rebuild(AbortSignal.abort())).rejects.toThrow('aborted')
      const stop = new AbortController()
      const rebuilt = store.search.rebuild(stop.signal)
      stop.abort()
      await expect(rebuilt).rejects.toThrow('aborted')
      expect(await store.check()).toEqual([])
      expect((await store.search.search({ query: 'walrus', limit: 1_000 })).length).toBe(450)
      expect((await store.sessions.list({ query: 'arctic' })).items.length).toBe(1)
      expect(await store.search.rebuild()).toBe(450)
    })
  })

  it('is put right by a rebuild, whatever was in it', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      await createSession(store, 's1', user('a walrus'), user('a seal'))
      await store.search.search({ query: 'walrus' })
      const connection = new DatabaseSync(file)
      connection.exec(`
        INSERT OR REPLACE INTO message_words (rowid, words) SELECT place, 'nonsense' FROM entries;
        INSERT INTO message_words (rowid, words) VALUES (${99 * 2 ** 28 + 7}, 'nonsense');
      `)
      connection.close()
      expect(await findSeqs(store, 'walrus')).toEqual([])
      expect(await store.search.rebuild()).toBe(2)
      expect(await findSeqs(store, 'walrus')).toEqual([1])
      expect(await findSeqs(store, 'nonsense')).toEqual([])
      expect(await store.check()).toEqual([])
    })
  })

  it('lets other writes in while it takes up much', async () => {
    await inFolder(async ({ open }) => {
      const store = await open()
      await createSession(store, 'long', ...Array.from({ length: 1_000 }, (_, n) => user(`walrus ${n} `.repeat(20))))
      const writer = await startSession(store, 's1')
      const order: string[] = []
      await Promise.all([
        store.search.search({ query: 'walrus' }).then(() => order.push('search')),
        writer.write([user('hello')]).then(() => order.push('write')),
      ])
      expect(order).toEqual(['write', 'search'])
    })
  })
})

async function findSeqs(store: Store, query: string): Promise<readonly number[]> {
  return (await store.search.search({ query })).map(({ seq }) => seq).toSorted((first, second) => first - second)
}

function countWaiting(file: string): number {
  const connection = new DatabaseSync(file)
  try {
    return Number(connection.prepare('SELECT count(*) AS n FROM search_pending').get()?.['n'])
  } finally {
    connection.close()
  }
}
