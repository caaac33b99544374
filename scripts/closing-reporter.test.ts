import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const project = join(import.meta.dirname, '..')
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'longhaul-report-'))
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'test'))
  for (const file of [
    'package.json',
    'vitest.config.ts',
    'scripts/closing-reporter.ts',
    'test/data-sets.ts',
    'test/left-out.ts',
    'test/postgres/global-setup.ts',
  ]) {
    cpSync(join(project, file), join(root, file))
  }
})

afterEach(() => rmSync(root, { recursive: true }))

test('the report ends with the plain counts', () => {
  const { lines, status } = runTests(['pass', 'pass', 'fail'])
  expect(lines.at(-1)).toBe('2 passed, 1 failed')
  expect(lines.some((line) => /Tests\s+1 failed \| 2 passed/.test(line))).toBe(true)
  expect(status).toBe(1)
})

test('a file that cannot be loaded counts as a failure', () => {
  const { lines, status } = runTests(['pass', 'throw'])
  expect(lines.at(-1)).toMatch(/^\d passed, 1 failed$/)
  expect(status).toBe(1)
})

test('a failing hook of a suite counts as a failure', () => {
  const { lines, status } = runTests(['pass', 'hook'])
  expect(lines.at(-1)).toBe('1 passed, 1 failed')
  expect(status).toBe(1)
})

test('an unhandled rejection counts as a failure', () => {
  const { lines, status } = runTests(['pass', 'reject'])
  expect(lines.at(-1)).toBe('2 passed, 1 failed')
  expect(status).toBe(1)
})

test('a missing data set is listed with its reason, and fails the run in CI alone', () => {
  const line = 'Left out: test/made-up.test.ts: with data: needs real conversations; '
  const onUserMachine = runTests(['pass', 'data'], { CI: '' })
  expect(onUserMachine.lines.at(-2)).toContain(line)
  expect(onUserMachine.lines.at(-1)).toBe('1 passed, 0 failed')
  expect(onUserMachine.status).toBe(0)

  const inCi = runTests(['pass', 'data'], { CI: 'true' })
  expect(inCi.lines.at(-2)).toContain(line)
  expect(inCi.status).toBe(1)
})

test('tests left out for the same reason share a line', () => {
  const { lines } = runTests(['data', 'otherData', 'skip'])
  expect(lines.at(-3)).toContain('Left out: test/made-up.test.ts: 2 tests: needs real conversations; ')
  expect(lines.at(-2)).toBe('Left out: test/made-up.test.ts: skips: no reason given')
})

test('tests run once their data set is there', () => {
  mkdirSync(join(root, 'sets/pi'), { recursive: true })
  writeFileSync(join(root, 'sets/pi/x.jsonl'), '')
  const { lines, status } = runTests(['data'], { CI: 'true', LONGHAUL_DATA_SETS: join(root, 'sets') })
  expect(lines.at(-1)).toBe('1 passed, 0 failed')
  expect(lines.join('\n')).not.toContain('Left out')
  expect(status).toBe(0)
})

test('files that did not pass, and those that a crash left undone, are written down for a second try', () => {
  const list = join(root, 'unfinished.txt')
  const files = ['a-longest', 'b-longer', 'c-last'].map((name) => join(root, `test/${name}.test.ts`))
  const [first = '', second = '', third = ''] = files
  writeFileSync(first, `import { test } from 'vitest'\ntest('passes', () => {})\n// ${'x'.repeat(200)}`)
  writeFileSync(
    second,
    `import { test } from 'vitest'\ntest('ends', () => process.kill(process.pid, 'SIGKILL')) // ${'x'.repeat(50)}`,
  )
  writeFileSync(third, `import { test } from 'vitest'\ntest('passes', () => {})`)
  const crashed = runTests(['pass'], { LONGHAUL_UNFINISHED_TESTS: list }, ['--maxWorkers', '1'])
  expect(crashed.status).toBe(1)
  expect(readUnfinished(list)).toStrictEqual(['test/b-longer.test.ts', 'test/c-last.test.ts', 'test/made-up.test.ts'])

  for (const file of files) rmSync(file)
  runTests(['pass', 'fail'], { LONGHAUL_UNFINISHED_TESTS: list })
  expect(readUnfinished(list)).toStrictEqual(['test/made-up.test.ts'])
  runTests(['pass', 'skip'], { LONGHAUL_UNFINISHED_TESTS: list, CI: 'true' })
  expect(readUnfinished(list)).toStrictEqual(['test/made-up.test.ts'])
  runTests(['pass'], { LONGHAUL_UNFINISHED_TESTS: list })
  expect(readUnfinished(list)).toStrictEqual([])
})

test('a skip without a reason is listed too, but not one that a name filter caused', () => {
  const unfiltered = runTests(['pass', 'skip'])
  expect(unfiltered.lines.at(-2)).toBe('Left out: test/made-up.test.ts: skips: no reason given')
  const filtered = runTests(['pass', 'skip'], {}, ['-t', 'passes'])
  expect(filtered.lines.join('\n')).not.toContain('Left out')
})

const statements = {
  pass: `test('passes', () => {})`,
  fail: `test('fails', () => { throw new Error('made up') })`,
  skip: `test.skip('skips', () => {})`,
  throw: `throw new Error('made up')`,
  hook: `describe('suite', () => { beforeAll(() => { throw new Error('made up') }); test('inner', () => {}) })`,
  reject: `test('rejects', () => { void Promise.reject(new Error('made up')) })`,
  data: `describeWithDataSet('with data', 'pi/x.jsonl', () => { test('reads', () => {}) })`,
  otherData: `describeWithDataSet('with other data', 'pi/y.jsonl', () => { test('reads', () => {}) })`,
}

function readUnfinished(list: string): readonly string[] {
  return readFileSync(list, 'utf8').split('\n').slice(0, -1).toSorted()
}

function runTests(
  kinds: readonly (keyof typeof statements)[],
  env: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): { lines: string[]; status: number | null } {
  const head = [
    `import { beforeAll, describe, test } from 'vitest'`,
    `import { describeWithDataSet } from './data-sets.ts'`,
  ]
  const text = [...head, ...kinds.map((kind) => statements[kind])].join('\n')
  writeFileSync(join(root, 'test/made-up.test.ts'), text)
  const vitest = join(project, 'node_modules/vitest/vitest.mjs')
  const { stdout, status } = spawnSync(process.execPath, [vitest, 'run', '--root', root, ...options], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NO_COLOR: '1', ...env },
  })
  return { lines: stdout.trimEnd().split('\n'), status }
}
