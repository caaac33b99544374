import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createNamedFiles } from './named-files.ts'
import type { NamedFiles } from './named-files.ts'

let folder: string
let messages: string[]
let notes: NamedFiles

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhaul-named-'))
  messages = []
  notes = createNamedFiles({
    folder,
    names: { files: ['TOP.md'], folders: ['notes'], isName: (name) => /^(?:TOP|notes\/\w+)\.md$/.test(name) },
    onLeftOut: (message) => void messages.push(message),
  })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('a folder that is not there yet holds nothing, and is made by the first note', async () => {
  expect(await notes.list()).toEqual({ files: [], leftOut: [] })
  expect(await notes.read('notes/a.md')).toBeNull()
  await Promise.all([notes.append('notes/a.md', 'one\n'), notes.append('notes/a.md', 'two\n')])
  expect((await readFile(join(folder, 'notes/a.md'), 'utf8')).split('\n').toSorted()).toEqual(['', 'one', 'two'])
  expect(await notes.list()).toEqual({ files: [{ name: 'notes/a.md', updatedAt: expect.any(Number) }], leftOut: [] })
})

it('no other name is read or written', async () => {
  await writeFile(join(folder, 'other.md'), 'x')
  expect(await notes.read('other.md')).toBeNull()
  await expect(notes.append('../other.md', 'x')).rejects.toThrow('not the name')
})

it('links that stay inside are read and not written; what cannot be used is left out, and told once', async () => {
  await mkdir(join(folder, 'notes'))
  await writeFile(join(folder, 'real.md'), 'real')
  await symlink('../real.md', join(folder, 'notes/inside.md'))
  await symlink('/etc/hostname', join(folder, 'notes/out.md'))
  await symlink('nowhere', join(folder, 'notes/dangling.md'))
  await mkdir(join(folder, 'notes/folder.md'))
  await writeFile(join(folder, 'TOP.md'), '')
  await truncate(join(folder, 'TOP.md'), 20_000_000)
  for (let time = 0; time < 2; time += 1) {
    const { files, leftOut } = await notes.list()
    expect(files.map(({ name }) => name)).toEqual(['notes/inside.md'])
    expect(leftOut.toSorted()).toEqual(['TOP.md', 'notes/dangling.md', 'notes/folder.md', 'notes/out.md'])
  }
  expect(messages).toHaveLength(4)
  expect(await notes.read('notes/inside.md')).toBe('real')
  for (const name of ['notes/out.md', 'notes/dangling.md', 'notes/folder.md', 'TOP.md'])
    expect(await notes.read(name)).toBeNull()
  await expect(notes.append('notes/inside.md', 'x')).rejects.toThrow('through a link')
  expect(await readFile(join(folder, 'real.md'), 'utf8')).toBe('real')
})

it.each([
  ['leads out', '/etc'],
  ['leads nowhere', 'nowhere'],
])('a folder that is a link which %s is left out', async (why, target) => {
  await symlink(target, join(folder, 'notes'))
  expect(await notes.list()).toEqual({ files: [], leftOut: ['notes'] })
  expect(messages.join()).toContain(why)
  await expect(notes.append('notes/a.md', 'x')).rejects.toThrow('link')
})
