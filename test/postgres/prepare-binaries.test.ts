import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { prepareBinaries } from './prepare-binaries.ts'
import { findServerUser } from './server-user.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-test-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

/** As npm unpacks it: a program that needs a library by the name of a link, and a list of links that are not there. */
function createPackage(links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]): string {
  const folder = createFolder()
  chmodSync(folder, 0o755)
  for (const name of ['bin', 'lib']) mkdirSync(join(folder, 'native', name), { recursive: true })
  writeFileSync(join(folder, 'native/lib/libpq.so.5.18'), 'a library')
  writeFileSync(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links))
  const program = '#!/bin/sh\ncat "$(dirname "$0")/../lib/libpq.so.5"\n'
  writeFileSync(join(folder, 'native/bin/postgres'), program, { mode: 0o755 })
  return folder
}

function prepare(packageFolder: string, folder = createFolder()): string {
  const user = findServerUser()
  if (user !== null) chownSync(folder, user.uid, user.gid)
  return prepareBinaries({ folder: join(packageFolder, 'native/bin'), packageFolder }, user, folder)
}

describe('the binaries of the npm package', () => {
  it('get their links where they lie, and keep those they have', () => {
    const packageFolder = createPackage()
    for (let run = 0; run < 2; run += 1) expect(prepare(packageFolder)).toBe(join(packageFolder, 'native/bin'))
    expect(readlinkSync(join(packageFolder, 'native/lib/libpq.so.5'))).toBe('libpq.so.5.18')
  })

  it('are copied where links cannot be made, or the user of the server cannot get at them', () => {
    const packageFolder = createPackage()
    // Root may make links anywhere, but runs the server as somebody else.
    const isRoot = findServerUser() !== null
    const closed = isRoot ? packageFolder : join(packageFolder, 'native/lib')
    chmodSync(closed, isRoot ? 0o700 : 0o555)
    onTestFinished(() => {
      chmodSync(closed, 0o755)
    })
    const folder = createFolder()
    const prepared = prepare(packageFolder, folder)
    expect(prepared.startsWith(folder)).toBe(true)
    expect(existsSync(join(prepared, '../lib/libpq.so.5'))).toBe(true)
  })

  it('are refused if a link would lead out of the package', () => {
    const outside = createPackage([{ source: 'native/lib/libpq.so.5.18', target: '../outside' }])
    expect(() => prepare(outside)).toThrow(/leaves its package/)
    expect(existsSync(join(outside, '../outside'))).toBe(false)
  })

  it('are refused if they do not run', () => {
    const broken = createPackage([])
    expect(() => prepare(broken)).toThrow(/does not run/)
  })
})
