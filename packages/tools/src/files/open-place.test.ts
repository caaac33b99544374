import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { readHead, readInside } from './read-place.ts'
import { createWorkspace } from './workspace.ts'
import type { Workspace } from './workspace.ts'
import { appendText, replaceText } from './write-place.ts'

let top: string
let workspace: Workspace
const at = (name: string): string => join(workspace.folder, name)

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'longhaul-open-'))
  await mkdir(join(top, 'inside/sub'), { recursive: true })
  await mkdir(join(top, 'outside'))
  await writeFile(join(top, 'inside/sub/a.txt'), 'mine')
  await writeFile(join(top, 'outside/a.txt'), 'secret')
  workspace = createWorkspace(join(top, 'inside'))
})
afterEach(() => rm(top, { recursive: true, force: true }))

/** Between looking and opening, somebody puts a link in the place of a folder or a file. */
async function swap(name: string, target: string): Promise<void> {
  await rename(at(name), join(top, 'moved'))
  await symlink(target, at(name))
}

describe('a link that is put there after the path was looked at', () => {
  it('as the folder: nothing is read', async () => {
    const place = await workspace.find('sub/a.txt')
    await swap('sub', join(top, 'outside'))
    await expect(readHead(place, 100)).rejects.toThrow('Something else was put there while it was opened: sub/a.txt')
  })

  it('as the file: nothing is read', async () => {
    const place = await workspace.find('sub/a.txt')
    await swap('sub/a.txt', join(top, 'outside/a.txt'))
    await expect(readHead(place, 100)).rejects.toMatchObject({ code: 'ELOOP' })
  })

  it.each(['sub/a.txt', 'sub/new.txt', 'sub/deep/new.txt'])('as the folder: %s is not written', async (path) => {
    const place = await workspace.find(path)
    await swap('sub', join(top, 'outside'))
    const REFUSED = /ENOTDIR|Something else was put there/
    await expect(appendText(place, 'planted')).rejects.toThrow(REFUSED)
    await expect(replaceText(place, 'planted')).rejects.toThrow(REFUSED)
    expect(await readdir(join(top, 'outside'))).toEqual(['a.txt'])
    expect(await readFile(join(top, 'outside/a.txt'), 'utf8')).toBe('secret')
  })

  it('as the file: a replacement takes the place of the link, and adding is refused', async () => {
    const place = await workspace.find('sub/a.txt')
    await swap('sub/a.txt', join(top, 'outside/a.txt'))
    await expect(appendText(place, 'planted')).rejects.toMatchObject({ code: 'ELOOP' })
    await replaceText(place, 'new')
    expect(await readFile(join(top, 'outside/a.txt'), 'utf8')).toBe('secret')
    expect(await readFile(at('sub/a.txt'), 'utf8')).toBe('new')
  })
})

describe('what is not a regular file', () => {
  it.each([
    ['without a reader', false],
    ['with one', true],
  ])('a pipe %s is refused', async (_name, hasReader) => {
    spawnSync('mkfifo', [at('pipe')])
    const reader = hasReader ? await open(at('pipe'), 'r+') : null
    onTestFinished(() => reader?.close())
    const place = await workspace.find('pipe')
    await expect(readHead(place, 100)).rejects.toThrow(/^A named pipe, not a file: pipe$/)
    await expect(appendText(place, 'x')).rejects.toThrow(/^A named pipe, not a file: pipe$/)
    // Nor where it was put there after the path was looked at.
    await expect(readHead({ ...place, stats: null }, 100)).rejects.toThrow('A named pipe')
  })

  it('a socket, a folder and a device are refused', async () => {
    const server = createServer().listen(at('socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    await expect(readHead(await workspace.find('socket'), 100)).rejects.toThrow('A socket, not a file: socket')
    await expect(readHead(await workspace.find('sub'), 100)).rejects.toThrow('A folder, not a file: sub')
    await expect(readHead(await workspace.find('/dev/zero'), 100)).rejects.toThrow('A device, not a file: /dev/zero')
  })
})

describe('sizes', () => {
  it('a file of the system that says it is empty is read, and no further than asked for', async () => {
    const { bytes } = await readHead(await workspace.find('/proc/self/status'), 100)
    expect(bytes.toString()).toMatch(/^Name:/)
    expect(bytes).toHaveLength(100)
  })

  it('what is too large to be read as a whole says how large it is', async () => {
    await expect(readInside(workspace, 'sub/a.txt', 3)).rejects.toThrow('it has 4 bytes, and 3 are the most')
    expect(await readInside(workspace, 'sub/a.txt', 4)).toBe('mine')
    expect(await readInside(workspace, 'sub/none.txt', 4)).toBeNull()
  })
})

describe('adding to a file', () => {
  it.each([0, 1, 2, 3])('a long text of characters of four bytes, %i bytes into the first, is UTF-8', async (shift) => {
    await writeFile(at('long.txt'), 'x'.repeat(shift) + '🦭'.repeat(20_000))
    const size = await appendText(await workspace.find('long.txt'), 'end')
    expect(size).toBe(80_000 + shift)
    expect((await readFile(at('long.txt'), 'utf8')).endsWith('🦭end')).toBe(true)
  })

  it('a long file that ends in half a character is left as it is', async () => {
    const bytes = Buffer.from('🦭'.repeat(20_000)).subarray(0, -1)
    await writeFile(at('long.txt'), bytes)
    await expect(appendText(await workspace.find('long.txt'), 'end')).rejects.toThrow('not UTF-8')
    expect((await stat(at('long.txt'))).size).toBe(bytes.length)
  })

  it('a file that somebody else made meanwhile is not added to unseen', async () => {
    const place = await workspace.find('new.txt')
    await writeFile(at('new.txt'), 'theirs')
    await expect(appendText(place, 'mine')).rejects.toMatchObject({ code: 'EEXIST' })
  })
})

describe('replacing a file', () => {
  it('keeps who may read and run it, and leaves no draft behind', async () => {
    await writeFile(at('run.sh'), 'old', { mode: 0o750 })
    await replaceText(await workspace.find('run.sh'), 'new')
    expect((await stat(at('run.sh'))).mode & 0o777).toBe(0o750)
    await expect(replaceText(await workspace.find('sub'), 'new')).rejects.toMatchObject({ code: 'EISDIR' })
    expect((await readdir(workspace.folder)).toSorted()).toEqual(['run.sh', 'sub'])
  })
})
