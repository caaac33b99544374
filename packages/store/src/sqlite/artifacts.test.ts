import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { START_AT } from '../testing/build-entries.ts'
import { createSession } from '../testing/session-writer.ts'
import { inFolder } from './testing/in-folder.ts'

describe('artifacts of a SQLite store', () => {
  it('LH-02 lie in files named after their content, once for all who hold them', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      for (const id of ['s1', 's2']) {
        await createSession(store, id)
        await store.artifacts.put({ sessionId: id, id: '../../outside', at: START_AT, content: 'the output' })
      }
      const sha256 = hashOf('the output')
      expect(await listFiles(`${file}.artifacts`)).toEqual([sha256])
      expect((await stat(pathOf(file, 'the output'))).size).toBe(10)
      expect(await store.artifacts.read('s2', '../../outside')).toBe('the output')
    })
  })

  it('are not passed off for what they were when their file has changed', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      await createSession(store, 's1')
      await store.artifacts.put({ sessionId: 's1', id: 'a1', at: START_AT, content: 'the output' })
      await writeFile(pathOf(file, 'the output'), 'other bytes')
      await expect(store.artifacts.read('s1', 'a1')).rejects.toMatchObject({ code: 'damaged' })
      await rm(pathOf(file, 'the output'))
      expect(await store.artifacts.read('s1', 'a1')).toBe(null)
      await store.artifacts.put({ sessionId: 's1', id: 'a1', at: START_AT, content: 'the output' })
      expect(await store.artifacts.read('s1', 'a1')).toBe('the output')
    })
  })

  it('leave no file behind when they are refused', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      await createSession(store, 's1')
      await store.artifacts.put({ sessionId: 's1', id: 'a1', at: START_AT, content: 'the first' })
      const other = store.artifacts.put({ sessionId: 's1', id: 'a1', at: START_AT, content: 'another' })
      await expect(other).rejects.toMatchObject({ code: 'id-conflict' })
      const artifacts = [{ id: 'x', content: 'of a session that is not' }]
      await expect(store.sessions.create({ id: 's1', createdAt: 1, artifacts })).rejects.toThrow('taken')
      expect(await listFiles(`${file}.artifacts`)).toEqual([hashOf('the first')])
    })
  })

  it('that a crash has left half written go with the next one to open the store', async () => {
    await inFolder(async ({ file, open }) => {
      const first = await open()
      await createSession(first, 's1')
      await first.artifacts.put({ sessionId: 's1', id: 'a1', at: START_AT, content: 'kept' })
      await first.close()
      // Named, then written in part or in whole, but never held.
      await leaveBehind(file, 'never held', ['', '.1234.part'])
      await leaveBehind(file, 'half written', ['.5678.part'])
      const second = await open()
      await second.artifacts.put({ sessionId: 's1', id: 'a2', at: START_AT, content: 'new' })
      await second.artifacts.deleteBefore(0)
      expect(await listFiles(`${file}.artifacts`)).toEqual([hashOf('kept'), hashOf('new')].toSorted())
      expect(await second.check()).toEqual([])
    })
  })

  it('survive that others remove what they take for remainders meanwhile', async () => {
    await inFolder(async ({ open }) => {
      const [writer, cleaner] = [await open(), await open()]
      await createSession(writer, 's1')
      const puts = Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          writer.artifacts.put({ sessionId: 's1', id: `a${n}`, at: START_AT, content: `content ${n % 5}` }),
        ),
      )
      const progress = { isDone: false }
      const cleaning = (async () => {
        while (!progress.isDone) await cleaner.artifacts.deleteBefore(0)
      })()
      await puts
      progress.isDone = true
      await cleaning
      for (let n = 0; n < 20; n += 1) expect(await writer.artifacts.read('s1', `a${n}`)).toBe(`content ${n % 5}`)
      expect(await writer.check()).toEqual([])
    })
  })

  it('go with their last holder when they are old', async () => {
    await inFolder(async ({ file, open }) => {
      const store = await open()
      await createSession(store, 's1')
      await store.artifacts.put({ sessionId: 's1', at: START_AT, content: 'old' })
      await store.artifacts.put({ sessionId: 's1', at: START_AT + 5, content: 'new' })
      expect(await store.artifacts.deleteBefore(START_AT + 5)).toBe(1)
      expect(await listFiles(`${file}.artifacts`)).toEqual([hashOf('new')])
    })
  })
})

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

function pathOf(file: string, content: string): string {
  const sha256 = hashOf(content)
  return join(`${file}.artifacts`, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile())
    .map(({ name }) => name)
    .toSorted()
}

async function leaveBehind(file: string, content: string, endings: readonly string[]): Promise<void> {
  const connection = new DatabaseSync(file)
  connection.prepare('INSERT INTO artifact_removals VALUES (?)').run(hashOf(content))
  connection.close()
  await mkdir(dirname(pathOf(file, content)), { recursive: true })
  for (const ending of endings) await writeFile(`${pathOf(file, content)}${ending}`, content)
}
