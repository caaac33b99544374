import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { START_AT, assistant, user } from '../testing/build-entries.ts'
import { createSession, startSession, takeSession } from '../testing/session-writer.ts'
import { openDatabase } from './database/database.ts'
import { createSqliteInbox } from './inbox.ts'
import { inFolder } from './testing/in-folder.ts'
import { moduleUrl, runScript } from './testing/run-script.ts'

describe('a SQLite store in trouble', () => {
  it('waits while another process holds the lock, and keeps the order of what was sent', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      const writer = await startSession(store, 's1', user('before'))
      const other = new DatabaseSync(file)
      other.exec('BEGIN IMMEDIATE')
      const written = writer.write([assistant('while it was locked')])
      const put = store.inbox.put({ sessionId: 's1', id: 'i1', at: START_AT, kind: 'cancel', payload: {} })
      expect((await store.entries.read('s1', {})).length).toBe(1)
      await setTimeout(20)
      other.exec('COMMIT')
      other.close()
      await Promise.all([written, put])
      expect((await store.entries.read('s1', {})).length).toBe(2)
    })
  })

  it('says that it is locked, stores nothing, and works again by itself', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open({ busyTimeoutMs: 30 })
      const writer = await startSession(store, 's1', user('before'))
      await store.search.search({ query: 'before' })
      const other = new DatabaseSync(file)
      other.exec('BEGIN IMMEDIATE')
      const append = writer.plan(user('too early'))
      await expect(store.entries.append(append)).rejects.toMatchObject({ code: 'unavailable' })
      await expect(createSession(store, 's2')).rejects.toMatchObject({ code: 'unavailable' })
      expect((await store.search.search({ query: 'before' })).length).toBe(1)
      other.exec('ROLLBACK')
      other.close()
      await store.entries.append(append)
      expect((await store.search.search({ query: 'early' })).length).toBe(1)
    })
  })

  it('finds what is in the index while new messages cannot be added to it', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open({ busyTimeoutMs: 30 })
      const writer = await startSession(store, 's1', user('a walrus'))
      await store.search.search({ query: 'walrus' })
      await writer.write([user('another walrus')])
      const other = new DatabaseSync(file)
      other.exec('BEGIN IMMEDIATE')
      expect((await store.search.search({ query: 'walrus' })).map(({ seq }) => seq)).toEqual([1])
      other.exec('ROLLBACK')
      other.close()
      expect((await store.search.search({ query: 'walrus' })).length).toBe(2)
    })
  })

  it('says that the disk is full, stores nothing, and works again by itself', async () => {
    await inFolder(async ({ file, open }) => {
      await createSession(await open(), 's1', user('hello'))
      const db = await openDatabase({ file, clock: Date.now, waitMs: 1_000 })
      const inbox = createSqliteInbox(db)
      const put = (id: string, text: string) =>
        inbox.put({ sessionId: 's1', id, at: START_AT, kind: 'message', payload: { text } })
      const pages = Number(db.connection.prepare('PRAGMA page_count').get()?.['page_count'])
      db.connection.exec(`PRAGMA max_page_count = ${pages + 4}`)
      const sent = await Promise.allSettled(['a', 'b', 'c'].map((id) => put(id, 'x'.repeat(9_000))))
      expect(sent.map(({ status }) => status)).toContain('rejected')
      for (const outcome of sent) {
        const refused = { code: 'unavailable', message: expect.stringContaining('is full') as string }
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(refused)
      }
      const kept = (await inbox.list('s1')).map(({ id }) => id)
      expect(kept).toEqual(['a', 'b', 'c'].filter((_, index) => sent[index]?.status === 'fulfilled'))
      db.connection.exec('PRAGMA max_page_count = 1000000')
      for (const id of ['a', 'b', 'c']) await put(id, 'x'.repeat(9_000))
      expect((await inbox.list('s1')).length).toBe(3)
      await db.close()
    })
  })

  it('says that a folder may not be written to, and opens once it may', async () => {
    await inFolder(async ({ folder, file, open }) => {
      const store = await open()
      await createSession(store, 's1', user('hello'))
      await store.close()
      await chmod(file, 0o444)
      await chmod(folder, 0o555)
      const { stdout, stderr } = await runAsNobody(`
        import { createSqliteStore } from ${moduleUrl('create-sqlite-store.ts')}
        for (const file of ${JSON.stringify([file, join(folder, 'new.db'), join(folder, 'sub', 'new.db')])}) {
          try {
            await createSqliteStore({ file })
            console.log('opened')
          } catch (error) {
            console.log(error.code, /Let this user write/.test(error.message))
          }
        }
      `)
      await chmod(folder, 0o700)
      expect({ stdout, stderr }).toEqual({ stdout: 'unavailable true\n'.repeat(3), stderr: '' })
      await chmod(file, 0o600)
      expect((await (await open()).sessions.list({})).items.length).toBe(1)
    })
  })

  it('says at once that there can be no folder where it should make one', async () => {
    await inFolder(async ({ file, open }) => {
      await writeFile(file, '')
      const impossible = [join(file, 'sub', 'new.db'), ...(existsSync('/proc/self') ? ['/proc/nope/new.db'] : [])]
      for (const path of impossible) {
        const message = expect.stringMatching(/^There can be no folder .* Name another one/) as string
        await expect(open({ file: path })).rejects.toMatchObject({ code: 'unavailable', message })
      }
    })
  })

  it('says that an artifact cannot be written, stores nothing of it, and stores it once it can', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      await createSession(store, 's1')
      await writeFile(`${file}.artifacts`, 'in the way')
      const put = () => store.artifacts.put({ sessionId: 's1', id: 'a1', at: START_AT, content: 'content' })
      await expect(put()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await store.artifacts.list('s1')).toEqual([])
      const elsewhere = await open({ artifactsFolder: join(file, '..', 'artifacts') })
      await elsewhere.artifacts.put({ sessionId: 's1', id: 'a1', at: START_AT, content: 'content' })
      expect(await elsewhere.artifacts.read('s1', 'a1')).toBe('content')
    })
  })

  it('two stores on one file keep order where they write to the same and to other sessions', async () => {
    await inFolder(async ({ open }) => {
      const [first, second] = [await open(), await open()]
      await createSession(first, 'shared')
      const own = await Promise.all([startSession(first, 'of-first'), startSession(second, 'of-second')])
      const turns = Array.from({ length: 10 }, (_, turn) => turn)
      await Promise.all([
        ...own.map(async (writer) => {
          for (const turn of turns) await writer.write([user(`turn ${turn}`)])
        }),
        (async () => {
          for (const turn of turns) {
            const store = turn % 2 === 0 ? first : second
            const writer = await takeSession(store, 'shared', `owner ${turn % 2}`)
            await writer.write([user(`turn ${turn}`)])
            await store.leases.release(writer.lease)
          }
        })(),
      ])
      for (const id of ['shared', 'of-first', 'of-second']) {
        const texts = (await second.entries.read(id, {})).map((entry) => JSON.stringify(entry))
        expect(texts.length).toBe(10)
        for (const turn of turns) expect(texts[turn]).toContain(`turn ${turn}`)
      }
      expect(await first.check()).toEqual([])
    })
  })
})

/** As a user who owns nothing here; where this process is not root, it is one by itself. */
async function runAsNobody(code: string): ReturnType<typeof runScript> {
  const isRoot = process.getuid?.() === 0
  return runScript(code, isRoot ? { uid: 65_534, gid: 65_534 } : {})
}
