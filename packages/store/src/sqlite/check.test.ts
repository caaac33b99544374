import { mkdir, open as openFile, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { START_AT, assistant, user } from '../testing/build-entries.ts'
import { createSession } from '../testing/session-writer.ts'
import { inFolder } from './testing/in-folder.ts'
import type { TestFolder } from './testing/in-folder.ts'

describe('check of a SQLite store', () => {
  it.each([
    ['a session that is gone', 'PRAGMA foreign_keys = OFF; DELETE FROM sessions', '3 rows of entries belong to'],
    ['words that are gone', `DELETE FROM message_words`, '3 messages are not in the search index.'],
    [
      'words of no message',
      `INSERT INTO message_words (rowid, words) VALUES (${7 * 2 ** 28 + 1}, 'x')`,
      '1 rows of the search index stand for no message.',
    ],
  ])('finds %s', async (_, sql, what) => {
    await inFolder(async (folder) => {
      const store = await openFilled(folder)
      const connection = new DatabaseSync(folder.file)
      connection.exec(sql)
      connection.close()
      const expected = {
        sessionId: null,
        what: expect.stringContaining(what) as string,
        advice: expect.any(String) as string,
      }
      expect(await store.check()).toContainEqual(expected)
    })
  })

  it('finds files that are gone, changed or nobody’s', async () => {
    await inFolder(async (folder) => {
      const store = await openFilled(folder)
      for (const content of ['changed', 'gone']) {
        await store.artifacts.put({ sessionId: 's1', at: START_AT, content })
      }
      const artifacts = `${folder.file}.artifacts`
      await writeFile(await findFile(artifacts, 'changed'), 'CHANGED')
      await rm(await findFile(artifacts, 'gone'))
      await mkdir(join(artifacts, 'aa', 'aa'), { recursive: true })
      await writeFile(join(artifacts, 'aa', 'aa', 'a'.repeat(64)), 'nobody’s')
      const problems = await store.check()
      expect(problems.map(({ sessionId, what }) => [sessionId, what.replaceAll(/[\da-f]{64}/g, '…')])).toEqual(
        expect.arrayContaining([
          ['s1', 'The file of artifact content … has changed.'],
          ['s1', 'The file of artifact content … is gone.'],
          [null, 'Nobody holds the artifact file ….'],
        ]),
      )
      expect(problems.length).toBe(3)
    })
  })

  it('finds damaged pages, and says so instead of failing', async () => {
    await inFolder(async (folder) => {
      const store = await openFilled(folder, 400)
      await store.close()
      const connection = new DatabaseSync(folder.file)
      const leaves = connection.prepare(`SELECT pageno FROM dbstat WHERE name = 'entries' AND pagetype = 'leaf'`).all()
      connection.close()
      const file = await openFile(folder.file, 'r+')
      await file.write(Buffer.alloc(2_000, 0xff), 0, 2_000, (Number(leaves[1]?.['pageno']) - 1) * 4_096)
      await file.close()
      const damaged = await folder.open()
      const problems = await damaged.check()
      expect(problems.length).toBeGreaterThan(0)
      expect(problems[0]?.advice).toContain('backup')
      await expect(damaged.entries.read('s1', {})).rejects.toMatchObject({ code: 'damaged' })
      expect((await damaged.sessions.get('s1'))?.head.lastSeq).toBe(400)
    })
  })
})

async function openFilled({ open }: TestFolder, messages = 3) {
  const store = await open()
  await createSession(
    store,
    's1',
    ...Array.from({ length: messages }, (_, n) => (n % 2 ? assistant : user)(`walrus ${n}`)),
  )
  await store.search.search({ query: 'walrus' })
  expect(await store.check()).toEqual([])
  return store
}

async function findFile(folder: string, content: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const file of files.filter((one) => one.isFile())) {
    const path = join(file.parentPath, file.name)
    if ((await readFile(path, 'utf8')) === content) return path
  }
  throw new Error(`No file holds ${content}.`)
}
