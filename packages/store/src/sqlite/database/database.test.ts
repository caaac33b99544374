import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { START_AT, user } from '../../testing/build-entries.ts'
import { createSession } from '../../testing/session-writer.ts'
import { inFolder } from '../testing/in-folder.ts'
import { moduleUrl, runScript } from '../testing/run-script.ts'
import { openDatabase } from './database.ts'

describe('an open database', () => {
  it('acknowledges what is synced: the pragmas in force', async () => {
    await inFolder(async ({ file }) => {
      const db = await openDatabase({ file, clock: Date.now, waitMs: 100 })
      const pragma = (name: string) => Object.values(db.connection.prepare(`PRAGMA ${name}`).get() ?? {})[0]
      const inForce = ['journal_mode', 'synchronous', 'foreign_keys', 'secure_delete', 'busy_timeout'].map(pragma)
      expect(inForce).toEqual(['wal', 2, 1, 1, 0])
      // An unsynced write lowers it for its own transaction at most; the next one is synced again.
      await db.writeUnsynced(() => {})
      expect(await db.write(() => pragma('synchronous'))).toBe(2)
      expect(await db.writeUnsynced(() => pragma('synchronous'))).toBe(1)
      const [synced, unsynced] = [db.write(() => pragma('synchronous')), db.writeUnsynced(() => pragma('synchronous'))]
      expect([await synced, await unsynced]).toEqual([2, 2])
      await db.close()
    })
  })

  // Where the machine can count system calls, they are counted; elsewhere the pragmas above are the proof.
  it('acknowledges what is synced: the calls that sync', async () => {
    await inFolder(async ({ file }) => {
      const appends = 20
      const { code, stdout, stderr } = await runScript(
        `
        import { createSqliteStore } from ${moduleUrl('create-sqlite-store.ts')}
        const store = await createSqliteStore({ file: ${JSON.stringify(file)} })
        await store.sessions.create({ id: 's1', createdAt: 1 })
        const owner = { id: 'o', host: 'h', pid: 1, startedAt: '' }
        const { lease } = await store.leases.acquire('s1', owner)
        const { head } = await store.sessions.get('s1')
        const message = { type: 'message', role: 'user', parts: [{ type: 'text', text: 'hi' }] }
        const append = (seq, rest) => store.entries.append({
          lease, entries: [{ ...message, id: 'i' + seq, seq, at: 1 }], head: { ...head, lastSeq: seq }, ...rest,
        })
        for (let n = 0; n < ${appends}; n += 1) {
          await store.inbox.put({ sessionId: 's1', id: 'i' + n, at: 1, kind: 'message', payload: {} })
          console.log('acknowledged')
        }
        await store.events.add('s1', 1, [{ type: 'delta' }])
        await store.requests.settle('s1', 1, {})
        await append(1, { settles: ['i1'], isKeptElsewhere: true })
        console.log('end')
        await append(2, {})
        console.log('acknowledged')
        `,
        { through: (await hasStrace()) ? ['strace', '-f', '-e', 'trace=fsync,fdatasync,write', '-s', '12'] : [] },
      )
      expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: appends + 2 })
      if (!(await hasStrace())) return
      const said = stderr.split('\n').filter((line) => /fsync|fdatasync|"acknowledged|"end/.test(line))
      const marks = said.map((line) => (line.includes('sync(') ? 's' : line.includes('end') ? 'e' : 'a')).join('')
      // A sync before every acknowledgement, and none for events, outcomes and what moves from the inbox.
      expect(marks).toMatch(/^(s+a){20}es+a/)
    })
  })

  it('shares one sync among the writes of a moment', async () => {
    await inFolder(async ({ file }) => {
      const db = await openDatabase({ file, clock: Date.now, waitMs: 100 })
      const other = await db.openConnection()
      // Goes up by one with each transaction of another connection.
      const version = () => Number(other.prepare('PRAGMA data_version').get()?.['data_version'])
      const before = version()
      const insert = db.connection.prepare(`INSERT INTO learned (model, calibrations) VALUES (?, '{}')`)
      await Promise.all(Array.from({ length: 50 }, (_, n) => db.write(() => insert.run(`model ${n}`))))
      expect(version()).toBe(before + 1)
      await db.close()
    })
  })

  it('is nobody else’s to read', async () => {
    await inFolder(async ({ folder, open }) => {
      const file = join(folder, 'a', 'b', 'longhaul.db')
      const store = await open({ file })
      await createSession(store, 's1', user('private'))
      await store.artifacts.put({ sessionId: 's1', at: START_AT, content: 'private' })
      for (const path of [file, `${file}-wal`]) expect((await stat(path)).mode & 0o777).toBe(0o600)
      expect((await stat(`${file}.artifacts`)).mode & 0o777).toBe(0o700)
    })
  })

  it('leaves one file when it is closed', async () => {
    await inFolder(async ({ file, open }) => {
      const [first, second] = [await open(), await open()]
      await createSession(first, 's1', user('hello'))
      await first.close()
      await second.close()
      await expect(stat(`${file}-wal`)).rejects.toThrow('ENOENT')
      await expect(stat(`${file}-shm`)).rejects.toThrow('ENOENT')
    })
  })

  it('ends a process that only listens', async () => {
    await inFolder(async ({ file }) => {
      const outcome = await runScript(`
        import { createSqliteStore } from ${moduleUrl('create-sqlite-store.ts')}
        const store = await createSqliteStore({ file: ${JSON.stringify(file)} })
        store.watch(() => {})
        await store.sessions.create({ id: 's1', createdAt: 1 })
      `)
      expect(outcome).toMatchObject({ code: 0, stderr: '' })
    })
  })
})

async function hasStrace(): Promise<boolean> {
  try {
    return (await runScript('', { through: ['strace', '-o', '/dev/null'] })).code === 0
  } catch {
    return false
  }
}
