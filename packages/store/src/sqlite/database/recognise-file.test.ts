import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { user } from '../../testing/build-entries.ts'
import { createSession } from '../../testing/session-writer.ts'
import { inFolder } from '../testing/in-folder.ts'

describe('what is not a store of ours', () => {
  it.each([
    ['a text', 'preset: "longhaul"\n'],
    ['a few bytes', 'SQLite'],
    ['a long file of something else', 'x'.repeat(5_000)],
  ])('%s is refused and left as it is', async (_, content) => {
    await inFolder(async ({ folder, file, open }) => {
      await writeFile(file, content)
      await expect(open()).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(file) })
      expect(await readFile(file, 'utf8')).toBe(content)
      expect(await readdir(folder)).toEqual(['longhaul.db'])
    })
  })

  it.each([
    ['with a mark of its own', 'PRAGMA application_id = 7; CREATE TABLE theirs (x)'],
    ['without a mark', 'CREATE TABLE theirs (x)'],
  ])('a database of another program, %s, is refused and left as it is', async (_, sql) => {
    await inFolder(async ({ folder, file, open }) => {
      const connection = new DatabaseSync(file)
      connection.exec(sql)
      connection.close()
      const before = await readFile(file)
      await expect(open()).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('another program'),
      })
      expect(await readFile(file)).toEqual(before)
      expect(await readdir(folder)).toEqual(['longhaul.db'])
    })
  })

  it('a folder is refused', async () => {
    await inFolder(async ({ file, open }) => {
      await mkdir(file)
      await expect(open()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(file) })
    })
  })

  it('an empty file, and one that was never finished, become a store', async () => {
    await inFolder(async ({ file, open }) => {
      await writeFile(file, '')
      const first = await open()
      await createSession(first, 's1', user('hello'))
      expect((await first.sessions.list({})).items.length).toBe(1)
    })
    await inFolder(async ({ file, open }) => {
      const connection = new DatabaseSync(file)
      connection.exec('PRAGMA journal_mode = WAL')
      connection.close()
      const second = await open()
      await createSession(second, 's1', user('hello'))
      expect((await second.sessions.list({})).items.length).toBe(1)
    })
  })
})
