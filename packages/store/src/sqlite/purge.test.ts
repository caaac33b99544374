import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Store } from '../port/store.ts'
import { START_AT, assistant, compaction, settings, toolResult, user } from '../testing/build-entries.ts'
import { createManifests } from '../testing/build-manifests.ts'
import { createSession, startSession } from '../testing/session-writer.ts'
import { inFolder } from './testing/in-folder.ts'

describe('purge', () => {
  it('leaves no byte of a session in any file, wherever its text was written', async () => {
    await inFolder(async ({ folder, open }) => {
      const store = await open()
      await fillSession(store, 'kept', 'sturgeon')
      await fillSession(store, 'purged', 'xyzzyplugh')
      await store.search.search({ query: 'xyzzyplugh' })
      expect(await findInFiles(folder, 'xyzzyplugh')).not.toEqual([])
      await store.sessions.purge('purged')
      expect(await findInFiles(folder, 'xyzzyplugh')).toEqual([])
      expect(await findInFiles(folder, 'sturgeon')).not.toEqual([])
      expect((await store.memory.search({ query: 'porpoise' })).length).toBe(1)
      expect(await store.check()).toEqual([])
    })
  })

  // SQLite overwrites rows where they lie, but leaves copies behind when it moves them to another page.
  it('leaves none where rows were moved between pages before', async () => {
    await inFolder(async ({ folder, open }) => {
      const store = await open()
      const writers = await Promise.all(Array.from({ length: 40 }, (_, n) => startSession(store, markOf(n))))
      const random = createRandom(5)
      for (let step = 0; step < 60; step += 1) {
        await Promise.all(
          writers.map(async (writer, n) => {
            const text = markOf(n).repeat(random() < 0.1 ? 500 : Math.floor(random() * 60))
            await writer.write([user(text), settings({ title: text.slice(0, random() * 300) })])
          }),
        )
      }
      await Promise.all(writers.map(async (_, n) => n % 2 === 1 && store.sessions.purge(markOf(n))))
      expect(await findInFiles(folder, 'odd-mark')).toEqual([])
      expect((await store.sessions.list({ limit: 100 })).items.length).toBe(20)
      expect(await store.check()).toEqual([])
    })
  })

  it('is finished by the next one to open the store where a crash cut it short', async () => {
    await inFolder(async ({ folder, file, open }) => {
      const first = await open()
      await fillSession(first, 'purged', 'xyzzyplugh')
      await first.search.search({ query: 'xyzzyplugh' })
      await first.close()
      // What is on disk when the process dies right after its first transaction.
      const connection = new DatabaseSync(file)
      connection.exec(`
        INSERT INTO artifact_removals SELECT DISTINCT sha256 FROM artifacts;
        INSERT INTO erasures SELECT key FROM sessions;
        DELETE FROM sessions;
      `)
      connection.close()
      const second = await open()
      expect(await second.search.search({ query: 'xyzzyplugh' })).toEqual([])
      await second.sessions.purge('purged')
      expect(await findInFiles(folder, 'xyzzyplugh')).toEqual([])
      expect(await second.check()).toEqual([])
    })
  })

  it('waits for a backup that still reads the older state', async () => {
    await inFolder(async ({ folder, open }) => {
      const store = await open()
      await fillSession(store, 'purged', 'xyzzyplugh')
      const dump = store.dump()[Symbol.asyncIterator]()
      await dump.next()
      const purged = store.sessions.purge('purged')
      await createSession(store, 'meanwhile', user('others go on'))
      const records = [await dump.next()]
      while (records.at(-1)?.done !== true) records.push(await dump.next())
      expect(JSON.stringify(records)).toContain('xyzzyplugh')
      await purged
      expect(await findInFiles(folder, 'xyzzyplugh')).toEqual([])
    })
  })

  it('keeps the files of artifacts that other sessions hold', async () => {
    await inFolder(async ({ folder, open }) => {
      const store = await open()
      for (const id of ['s1', 's2']) {
        await createSession(store, id)
        await store.artifacts.put({ sessionId: id, at: START_AT, content: 'shared by two' })
      }
      await store.sessions.purge('s1')
      expect((await findInFiles(folder, 'shared by two')).length).toBe(1)
      await store.sessions.purge('s2')
      expect(await findInFiles(folder, 'shared by two')).toEqual([])
    })
  })
})

function markOf(n: number): string {
  return `${n % 2 === 1 ? 'odd' : 'even'}-mark-${n} `
}

/** The same numbers each time. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** Something in every place that a session writes to. */
async function fillSession(store: Store, id: string, secret: string): Promise<void> {
  const writer = await startSession(store, id, settings({ title: secret }), user(secret), assistant(`${secret}!`))
  for (const item of ['i1', 'i2']) {
    await store.inbox.put({ sessionId: id, id: item, at: START_AT, kind: 'message', payload: { text: secret } })
  }
  await writer.write([user(secret, 'i1'), toolResult(`${secret} `.repeat(2_000)), compaction(3, secret)], {
    settles: ['i1'],
  })
  for (const { stored } of createManifests(3)) await store.requests.add(id, { ...stored, bytesHash: secret })
  await store.requests.settle(id, 1, { error: secret })
  await store.events.add(id, START_AT, [{ type: 'delta', text: secret }])
  await store.artifacts.put({ sessionId: id, id: 'a1', at: START_AT, content: `${secret} in full` })
  await store.leases.setWork(writer.lease, { kind: 'compaction', text: secret })
  await store.memory.put({ name: 'MEMORY.md', updatedAt: START_AT, text: 'A porpoise.' }, [
    { kind: 'fact', line: 1, text: 'A porpoise.' },
  ])
}

/** Every file below the folder that holds the text, in any case. */
async function findInFiles(folder: string, text: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const file of files.filter((one) => one.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name))
    if (bytes.toString('latin1').toLowerCase().includes(text.toLowerCase())) found.push(file.name)
  }
  return found
}
