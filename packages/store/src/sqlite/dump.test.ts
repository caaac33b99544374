import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DumpRecord } from '../port/dump.ts'
import { START_AT, user } from '../testing/build-entries.ts'
import { createSession } from '../testing/session-writer.ts'
import { inFolder } from './testing/in-folder.ts'

describe('dump and load of a SQLite store', () => {
  it('a long session is dumped in order, page by page, while it is purged', async () => {
    await inFolder(async ({ open }) => {
      const store = await open()
      await createSession(store, 's1', ...Array.from({ length: 450 }, (_, n) => user(`message ${n}`)))
      await createSession(store, 's2', user('after it'))
      const seqs: number[] = []
      const purging: Promise<void>[] = []
      for await (const record of store.dump()) {
        if (record.type === 'session' && record.id === 's1') purging.push(store.sessions.purge('s1'))
        if (record.type === 'entry' && record.sessionId === 's1') seqs.push(record.entry.seq)
      }
      expect(seqs).toEqual(Array.from({ length: 450 }, (_, n) => n + 1))
      await Promise.all(purging)
      expect((await store.sessions.list({})).items.map(({ id }) => id)).toEqual(['s2'])
    })
  })

  it('an artifact whose file is gone does not stop a dump', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      await createSession(store, 's1', user('hello'))
      await store.artifacts.put({ sessionId: 's1', at: START_AT, content: 'gone' })
      await rm(`${file}.artifacts`, { recursive: true })
      const types: string[] = []
      for await (const record of store.dump()) types.push(record.type)
      expect(types).toEqual(['session', 'entry'])
    })
  })

  it('a dump ends with the store that it is made of', async () => {
    await inFolder(async ({ open }) => {
      const store = await open()
      await createSession(store, 's1', user('hello'))
      const dump = store.dump()[Symbol.asyncIterator]()
      await dump.next()
      await store.close()
      await expect(dump.next()).rejects.toMatchObject({ code: 'closed' })
    })
  })

  it('a load that breaks off leaves no file behind', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      await expect(store.load(breakOff())).rejects.toThrow('the tape tore')
      const left = await readdir(join(`${file}.artifacts`), { recursive: true, withFileTypes: true })
      expect(left.filter((entry) => entry.isFile())).toEqual([])
      expect(await store.check()).toEqual([])
      await createSession(store, 's1', user('it works'))
    })
  })

  it('a load makes others wait, and they go on after it', async () => {
    await inFolder(async ({ open }) => {
      const [loading, other] = [await open(), await open()]
      const gate = Promise.withResolvers<void>()
      const started = Promise.withResolvers<void>()
      const load = loading.load(pauseIn(started.resolve, gate.promise))
      await started.promise
      const created = createSession(other, 's2', user('meanwhile'))
      gate.resolve()
      await load
      await created
      expect((await other.sessions.list({})).items.map(({ id }) => id).toSorted()).toEqual(['loaded', 's2'])
    })
  })
})

const SESSION: DumpRecord = {
  type: 'session',
  id: 'loaded',
  createdAt: START_AT,
  updatedAt: START_AT,
  deletedAt: null,
  header: {},
}

async function* breakOff(): AsyncGenerator<DumpRecord> {
  yield SESSION
  yield { type: 'artifact', sessionId: 'loaded', id: 'a1', at: START_AT, content: 'half a load' }
  throw new Error('the tape tore')
}

async function* pauseIn(tell: () => void, gate: Promise<void>): AsyncGenerator<DumpRecord> {
  yield SESSION
  tell()
  await gate
}
