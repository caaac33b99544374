import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inFolder } from '../testing/in-folder.ts'
import { makeFolder } from './make-folder.ts'

describe('makeFolder', () => {
  it('makes what is missing, for this user alone, and says what it made', async () => {
    await inFolder(async ({ folder }) => {
      const [outer, inner] = [join(folder, 'a'), join(folder, 'a', 'b')]
      expect(makeFolder(inner)).toEqual([outer, inner])
      expect(statSync(outer).mode & 0o777).toBe(0o700)
      expect(makeFolder(inner)).toEqual([])
    })
  })

  it('says at once that there is a file in the way', async () => {
    await inFolder(async ({ folder }) => {
      const file = join(folder, 'file')
      writeFileSync(file, '')
      expect(() => makeFolder(join(file, 'a', 'b'))).toThrow('ENOTDIR')
    })
  })

  it.skipIf(!existsSync('/proc/self'))('ends where a file system denies that its folder is there', () => {
    expect(() => makeFolder('/proc/nope/a')).toThrow('ENOENT')
  })
})
