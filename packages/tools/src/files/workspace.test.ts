import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkspace } from './workspace.ts'
import type { Workspace } from './workspace.ts'

let root: string
let workspace: Workspace

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'longhaul-workspace-'))
  await mkdir(join(root, 'inside', 'sub'), { recursive: true })
  await mkdir(join(root, 'outside'))
  await writeFile(join(root, 'outside', 'secret.txt'), 'secret')
  await symlink(join(root, 'outside'), join(root, 'inside', 'door'))
  await symlink(join(root, 'outside', 'secret.txt'), join(root, 'inside', 'window.txt'))
  await symlink(join(root, 'nowhere'), join(root, 'inside', 'dangling'))
  await symlink(join(root, 'inside', 'sub'), join(root, 'inside', 'shortcut'))
  workspace = createWorkspace(join(root, 'inside'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('holds', () => {
  it.each(['a.txt', './a.txt', 'sub/../a.txt', 'sub', '.', ''])('%j is inside', (path) => {
    expect(workspace.holds(path)).toBe(true)
  })
  it.each(['..', '../outside/secret.txt', 'sub/../../outside', '/etc/passwd'])('%j is outside', (path) => {
    expect(workspace.holds(path)).toBe(false)
  })
  it('a folder whose name only starts the same is outside', () => {
    expect(workspace.holds(`${workspace.folder}-other/a.txt`)).toBe(false)
  })
})

describe('locate', () => {
  it.each(['door/secret.txt', 'window.txt', 'door/new.txt', 'dangling'])(
    '%s leads out by a link: refused',
    async (path) => {
      expect(workspace.holds(path)).toBe(true)
      await expect(workspace.locate(path, { mayLeave: false })).rejects.toThrow(/workspace|nowhere/)
    },
  )
  it('a link that stays inside is followed', async () => {
    expect(await workspace.locate('shortcut/a.txt', { mayLeave: false })).toMatch(/inside\/sub\/a\.txt$/)
  })
  it('a file that is not there yet is fine', async () => {
    expect(await workspace.locate('new/deep/a.txt', { mayLeave: false })).toMatch(/inside\/new\/deep\/a\.txt$/)
  })
  it('a NUL character is refused', async () => {
    await expect(workspace.locate('a\0.txt', { mayLeave: true })).rejects.toThrow('NUL')
  })
})
