import { expect, it } from 'vitest'
import { findPaths } from './find-paths.ts'

it.each([
  ['read a.txt, then b.txt.', ['a.txt', 'b.txt']],
  ['open ../x/y.ts and ~/notes/today.md', ['../x/y.ts', '~/notes/today.md']],
  ['`my file.md` or "src/"', ['my file.md', 'src/']],
  ['the Makefile', ['Makefile']],
  ['see https://example.org/a.html', []],
  ['it is 3.14 or so, e.g. this, i.e. "that"', []],
])('in %s', (text, paths) => {
  expect(findPaths(text)).toEqual(paths)
})
