import { describe, expect, it } from 'vitest'
import { findSteeringReason, listSteeringNames } from './steering-files.ts'

describe('findSteeringReason', () => {
  it.each(listSteeringNames())(
    '%s is asked about, in any case, and in any folder unless it begins with a slash',
    (pattern) => {
      const name = pattern.replaceAll('*', 'x').replaceAll('/', '')
      const isInRoot = pattern.startsWith('/')
      for (const path of [name, name.toUpperCase(), name.toLowerCase()]) {
        expect(findSteeringReason(path)).toMatch(/^[A-Z].*\.$/)
        if (!isInRoot) expect(findSteeringReason(`deep/er/${path}`)).toMatch(/^[A-Z].*\.$/)
        if (pattern.endsWith('/')) expect(findSteeringReason(`${path}/any/thing.txt`)).not.toBeNull()
      }
    },
  )

  it.each(['.g\u200cit/config', '.git./config', '.git /config', 'ＡＧＥＮＴＳ.md', 'sub\\.git\\config'])(
    '%j is the same name to some file system',
    (path) => {
      expect(findSteeringReason(path)).not.toBeNull()
    },
  )

  it.each([
    'src/index.ts',
    'src/memory/index.ts',
    'build/out.js',
    'packages/workspace/a.ts',
    'configure/a.ts',
    'docs/soul.md',
    'my.git.txt',
    '.gitignore',
    '.editorconfig',
    'tsconfig.json',
    'environment.ts',
    'src/app.configuration.ts',
    'makefile.md',
  ])('%s is an ordinary file', (path) => {
    expect(findSteeringReason(path)).toBeNull()
  })
})
