import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/guide/the-four-designs.md'), 'utf8')
const rows = page
  .split('\n')
  .filter((line) => /^\| (?:ONE|OPEN|MICRO|SPEC|LH)-\d/.test(line))
  .map((line) => {
    const [, id = '', , code = '', tests = ''] = line.split('|').map((cell) => cell.trim())
    return { id, code: findPaths(code), tests: findPaths(tests) }
  })

/** The page leaves `packages/` and `src/` out. */
function findPaths(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) =>
    /^(?:test|bench)\//.test(path) ? path : `packages/${path.replace('/', '/src/')}`,
  )
}

test.each([
  ['ONE', 23],
  ['OPEN', 22],
  ['MICRO', 11],
  ['SPEC', 10],
  ['LH', 8],
])('the page on the four designs has a row for each point of %s, from 1 to %i', (prefix, count) => {
  const ids = rows.map(({ id }) => id).filter((id) => id.startsWith(`${prefix}-`))
  const expected = Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(2, '0')}`)
  expect(ids).toEqual(expected)
})

test.each(rows)('$id names code that exists, and tests that carry its id', ({ id, code, tests }) => {
  expect(code.length).toBeGreaterThan(0)
  expect(tests.length).toBeGreaterThan(0)
  expect([...code, ...tests].filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(tests.filter((path) => !readFileSync(join(root, path), 'utf8').includes(id))).toEqual([])
})
