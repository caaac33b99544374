import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { NewSession } from '../port/sessions.ts'
import { foldHead } from '../records/describe-session.ts'
import { START_AT, assistant, numberLines, user } from '../testing/build-entries.ts'
import { startSession } from '../testing/session-writer.ts'
import { inFolder } from './testing/in-folder.ts'

const LENGTH = 10_000

function longSession(id: string): Required<Pick<NewSession, 'id' | 'createdAt' | 'entries'>> {
  const lines = Array.from({ length: LENGTH }, (_, n) => (n % 2 === 0 ? user(`Ask ${n}`) : assistant(`Say ${n}`)))
  return { id, createdAt: START_AT, entries: numberLines(lines) }
}

function countIn(file: string, table: 'entries' | 'erasures'): number {
  const connection = new DatabaseSync(file)
  try {
    return Number(connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
  } finally {
    connection.close()
  }
}

describe('a session too long for one transaction', () => {
  it('kept everybody else from writing: others go on, and see nothing of it before all is stored', async () => {
    await inFolder(async ({ open }) => {
      const store = await open()
      const writer = await startSession(store, 'other', user('Hello'))
      const session = longSession('long')
      const progress = { isStored: false }
      const creating = store.sessions.create(session).finally(() => (progress.isStored = true))
      let writes = 0
      while (!progress.isStored) {
        const seen = await store.sessions.get('long')
        expect(seen === null || seen.head.lastSeq === LENGTH).toBe(true)
        await writer.write([assistant(`Meanwhile ${writes}`)])
        writes += 1
      }
      expect(writes).toBeGreaterThan(10)
      expect((await creating).head).toEqual(foldHead(session.entries))
      expect(await store.entries.read('long', { from: LENGTH })).toEqual(session.entries.slice(-1))
      const [found] = await store.search.search({ query: '"Ask 9998"', sessionId: 'long' })
      expect(found).toMatchObject({ seq: 9_999 })
      expect(await store.check()).toEqual([])
    })
  })

  it('leaves nothing behind where its id is taken, before or meanwhile', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      const attempts = await Promise.allSettled([
        store.sessions.create(longSession('long')),
        store.sessions.create(longSession('long')),
      ])
      expect(attempts.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      await expect(store.sessions.create(longSession('long'))).rejects.toMatchObject({ code: 'id-conflict' })
      expect(countIn(file, 'entries')).toBe(LENGTH)
      expect(countIn(file, 'erasures')).toBe(0)
    })
  })

  it('that was cut short is cleared away by the next one to open the store', async () => {
    await inFolder(async ({ file, open }) => {
      const first = await open()
      const creating = first.sessions.create(longSession('long')).catch((error: unknown) => error)
      while (countIn(file, 'entries') === 0) await setImmediate()
      await first.close()
      expect(await creating).toMatchObject({ code: 'closed' })
      expect(countIn(file, 'entries')).toBeGreaterThan(0)
      const second = await open()
      // Waits for what is being cleared away.
      await second.sessions.purge('nobody')
      expect(countIn(file, 'entries')).toBe(0)
      expect(await second.check()).toEqual([])
      expect((await second.sessions.create(longSession('long'))).head.lastSeq).toBe(LENGTH)
    })
  })

  it('is stored whole although another process took its entries for remains of a crash', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      const session = longSession('long')
      const creating = store.sessions.create(session)
      while (countIn(file, 'entries') === 0) await setImmediate()
      await (await open()).sessions.purge('nobody')
      expect((await creating).head).toEqual(foldHead(session.entries))
      expect(countIn(file, 'entries')).toBe(LENGTH)
      expect(await store.check()).toEqual([])
    })
  })

  it('is no trace of a purge to its own process', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      await startSession(store, 'other', user('Hello'))
      const creating = store.sessions.create(longSession('long'))
      while (countIn(file, 'entries') < 2) await setImmediate()
      await store.sessions.purge('other')
      expect((await creating).head.lastSeq).toBe(LENGTH)
      expect(countIn(file, 'entries')).toBe(LENGTH)
    })
  })
})
