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

describe('find', () => {
  it.each(['door/secret.txt', 'window.txt', 'door/new.txt'])('%s leads out by a link', async (path) => {
    expect(workspace.holds(path)).toBe(true)
    const place = await workspace.find(path)
    expect(place).toMatchObject({ isInside: true, leadsOut: true, isLinked: true })
    expect(place.shown).toBe(place.real)
  })
  it('a link that leads nowhere is refused: writing would follow it', async () => {
    await expect(workspace.find('dangling')).rejects.toThrow(/^dangling is a link that leads nowhere\.$/)
    await expect(workspace.find('dangling/a.txt')).rejects.toThrow('leads nowhere')
  })
  it('a link that stays inside is followed', async () => {
    expect(await workspace.find('shortcut/a.txt')).toMatchObject({
      shown: 'sub/a.txt',
      leadsOut: false,
      isLinked: true,
      stats: null,
    })
  })
  it('a file that is not there yet is fine', async () => {
    expect(await workspace.find('new/deep/a.txt')).toMatchObject({ shown: 'new/deep/a.txt', isLinked: false })
  })
  it('a workspace that is a link itself is a workspace like any other', async () => {
    await symlink(join(root, 'inside'), join(root, 'linked'))
    const linked = createWorkspace(join(root, 'linked'))
    expect(await linked.find('sub/a.txt')).toMatchObject({ shown: 'sub/a.txt', leadsOut: false, isLinked: false })
    expect(await linked.find('window.txt')).toMatchObject({ leadsOut: true })
  })
  it.each([
    ['a\0.txt', 'NUL'],
    ['a/'.repeat(5_000), 'too long'],
  ])('%j is refused', async (path, why) => {
    await expect(workspace.find(path)).rejects.toThrow(why)
  })
})
