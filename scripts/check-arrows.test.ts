import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkTree } from './arrows/check-tree.ts'

const script = join(import.meta.dirname, 'check-arrows.ts')
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'longhaul-arrows-'))
})

afterEach(() => rmSync(root, { recursive: true }))

test('a tree that keeps every rule passes', () => {
  const report = runScript({
    'packages/engine/package.json': '{ "exports": "./src/index.ts" }',
    'packages/engine/src/index.ts': `export { plan } from './request/plan.ts'`,
    'packages/engine/src/request/plan.ts': `import { a } from '../compaction/a.ts'\nexport const plan = a`,
    'packages/engine/src/compaction/a.ts': `import type { B } from '../summary/b.ts'\nexport const a: B = 1`,
    'packages/engine/src/summary/b.ts': `import type { C } from '../policy/c.ts'\nexport type B = C`,
    'packages/engine/src/policy/c.ts': `import type { D } from '../transcript/d.ts'\nexport type C = D`,
    'packages/engine/src/policy/c.test.ts':
      `import fc from 'fast-check'\nimport { test } from 'vitest'\nimport { readFileSync } from 'node:fs'\n` +
      `import { plan } from '../request/plan.ts'\nimport { describeWithDataSet } from '../../../../test/data-sets.ts'\n` +
      `setTimeout(() => {}, Date.now())`,
    'packages/engine/src/transcript/d.ts':
      `// Date.now and console.log are named here, not used\nexport type D = number\nexport const at = new Date(0)\n` +
      `/**\n * import { x } from '../request/plan.ts'\n */\nexport const say = 'in process. Then'`,
    'packages/store/package.json': '{ "exports": { ".": "./src/index.ts", "./port": "./src/port/port.ts" } }',
    'packages/store/src/index.ts': `export type { Store } from './port/port.ts'`,
    'packages/store/src/port/port.ts': `import { plan } from '@longhaul/engine'\nexport type Store = typeof plan`,
    'packages/agent/package.json': '{ "exports": "./src/index.ts" }',
    'packages/agent/src/index.ts': `export type { T } from './turn/run.ts'\nexport type { O } from './owner/own.ts'`,
    'packages/agent/src/owner/own.ts': `import type { T } from '../turn/run.ts'\nexport type O = T`,
    'packages/agent/src/turn/run.ts': `import type { Store } from '@longhaul/store/port'\nexport type T = Store`,
    'packages/agent/src/turn/run.test.ts': `import { createStore } from '@longhaul/store'`,
  })
  expect(report).toEqual({ lines: ['0 violations in 13 files'], status: 0 })
})

test('every violation has its line, and a count closes the report', () => {
  const { lines, status } = runScript({
    'packages/engine/src/tokens/a.ts': `// first line\n\nimport {\n  b,\n} from '../policy/b'\n\nb(Math.random())`,
    'packages/engine/src/policy/b.ts': '',
  })
  expect(lines).toEqual([
    'packages/engine/src/tokens/a.ts:3 room tokens may not import room policy',
    `packages/engine/src/tokens/a.ts:3 name the file with its ending .ts: ../policy/b`,
    'packages/engine/src/tokens/a.ts:7 the engine is pure and may not use Math.random',
    '3 violations in 2 files',
  ])
  expect(status).toBe(1)
})

describe('package arrows', () => {
  test.each([
    [
      'a package not granted',
      'store',
      `import { a } from '@longhaul/models'`,
      'package store may not import @longhaul/models',
    ],
    ['a dynamic import', 'store', `const a = await import('@longhaul/agent')`, 'may not import @longhaul/agent'],
    [
      'an entry not granted',
      'replay',
      `import { a } from '@longhaul/store'`,
      'package replay may not import @longhaul/store',
    ],
    ['a value of a types-only entry', 'agent', `import { a } from '@longhaul/store/port'`, 'may import only types of'],
    ['types mixed with values', 'tools', `import { type A } from '@longhaul/engine'`, 'may import only types of'],
    [
      'another entry than the types',
      'agent',
      `import type { A } from '@longhaul/store'`,
      'may not import @longhaul/store',
    ],
    [
      'the package itself',
      'store',
      `import { a } from '@longhaul/store'`,
      'package store may not import @longhaul/store',
    ],
    ['a path into another package', 'store', `import { a } from '../../engine/src/a.ts'`, 'leaves package store'],
    ['a library in the engine', 'engine', `import { z } from 'zod'`, 'package engine has no dependencies'],
    ['Node in the engine', 'engine', `import 'node:fs'`, 'package engine runs in a browser'],
    ['Node in a browser package', 'protocol', `import { join } from 'node:path'`, 'package protocol runs in a browser'],
    ['a test library', 'store', `import fc from 'fast-check'`, 'a source imports the test library fast-check'],
    ['test code', 'store', `import { a } from './testing/a.ts'`, 'a source imports test code'],
    ['a package not in the table', 'attic', '', 'package attic is not in the table of arrows'],
  ])('%s is refused', (_, packageName, text, message) => {
    expectViolation({ [`packages/${packageName}/src/index.ts`]: text }, message)
  })

  test('a test of the engine gets test libraries and Node, nothing more', () => {
    const file = 'packages/engine/src/tokens/a.test.ts'
    expectViolation({ [file]: `import { z } from 'zod'` }, 'package engine has no dependencies')
    expectViolation({ [file]: `import { a } from '@longhaul/store'` }, 'package engine may not import @longhaul/store')
  })

  test('a source does not reach the shared test folder', () => {
    expectViolation({ 'packages/store/src/a.ts': `import '../../../test/data-sets.ts'` }, 'leaves package store')
  })
})

describe('rooms', () => {
  test.each([
    ['engine', 'transcript', 'messages'],
    ['engine', 'messages', 'tokens'],
    ['engine', 'tokens', 'policy'],
    ['engine', 'policy', 'truncation'],
    ['engine', 'pruning', 'summary'],
    ['engine', 'summary', 'compaction'],
    ['engine', 'flush', 'compaction'],
    ['engine', 'compaction', 'pruning'],
    ['engine', 'compaction', 'request'],
    ['engine', 'request', 'context'],
    ['agent', 'port', 'session'],
    ['agent', 'session', 'memory'],
    ['agent', 'session', 'maintenance'],
    ['agent', 'maintenance', 'recovery'],
    ['agent', 'recovery', 'turn'],
    ['agent', 'turn', 'owner'],
    ['agent', 'turn', 'approval'],
    ['agent', 'approval', 'turn'],
    ['agent', 'inspect', 'maintenance'],
    ['agent', 'commands', 'owner'],
    ['cli', 'terminal', 'chat'],
    ['server', 'stream', 'routes'],
    ['web', 'ui', 'api'],
  ])('of %s: %s may not import %s', (packageName, room, wanted) => {
    const files = {
      [`packages/${packageName}/src/${room}/a.ts`]: `import type { B } from '../${wanted}/b.ts'`,
      [`packages/${packageName}/src/${wanted}/b.ts`]: '',
    }
    expectViolation(files, `room ${room} may not import room ${wanted}`)
  })

  test('a room may not import the index', () => {
    const files = { 'packages/engine/src/request/a.ts': `import { a } from '../index.ts'` }
    expectViolation(files, 'room request may not import the file index.ts')
  })

  test('a file beside the rooms is checked like a room, and is imported only where the table says so', () => {
    expectViolation(
      { 'packages/agent/src/agent-error.ts': `import { a } from './turn/a.ts'` },
      'the file agent-error.ts may not import room turn',
    )
    expectViolation(
      { 'packages/agent/src/session/a.ts': `import { a } from '../create-agent.ts'` },
      'room session may not import the file create-agent.ts',
    )
  })

  test('every room is open to test code', () => {
    writeTree({
      'packages/agent/src/session/a.test.ts': `import { b } from '../owner/b.ts'`,
      'packages/agent/src/testing/a.ts': `import { b } from '../owner/b.ts'`,
      'packages/agent/src/owner/b.ts': 'export const b = 1',
    })
    expect(checkTree(root).lines).toEqual(['0 violations in 3 files'])
  })

  test.each(['engine', 'agent'])('of %s: one that the table does not know is refused', (packageName) => {
    expectViolation({ [`packages/${packageName}/src/attic/a.ts`]: '' }, 'room attic is not in the table of rooms')
    expectViolation({ [`packages/${packageName}/src/a.ts`]: '' }, 'the file a.ts is not in the table of rooms')
  })
})

describe('import cycles', () => {
  test('types close a ring as values do, and the ring is told once', () => {
    const { lines } = runScript({
      'packages/store/src/a.ts': `import { b } from './b.ts'`,
      'packages/store/src/b.ts': `import type { C } from './c.ts'`,
      'packages/store/src/c.ts': `export const x = 1\nimport type { A } from './a.ts'`,
    })
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `packages/store/src/${name}.ts`)
    expect(lines).toEqual([`${c}:2 import cycle: ${a} → ${b} → ${c} → ${a}`, '1 violations in 3 files'])
  })

  test('a ring through another package is found', () => {
    const files = {
      'packages/store/package.json': '{ "exports": { "./port": "./src/port.ts" } }',
      'packages/store/src/port.ts': `import { b } from '@longhaul/models'`,
      'packages/models/package.json': '{ "exports": "./src/index.ts" }',
      'packages/models/src/index.ts': `import { a } from '@longhaul/store/port'`,
    }
    expectViolation(files, 'import cycle: packages/models/src/index.ts → packages/store/src/port.ts → ')
  })
})

describe('form of imports', () => {
  test.each(['./b', './b.js', '..', '.'])('%s is refused', (specifier) => {
    expectViolation(
      { 'packages/store/src/sqlite/a.ts': `import { b } from '${specifier}'` },
      'name the file with its ending',
    )
  })

  test.each([`export * from './b.ts'`, `export { b } from './b.ts'`, `export type { B } from './b.ts'`])(
    'a file that its package does not export may not hand on: %s',
    (text) => {
      expectViolation({ 'packages/store/src/sqlite/index.ts': text }, `only a package's entry file re-exports: ./b.ts`)
    },
  )
})

describe('purity of the engine', () => {
  test.each([
    ['Date.now()', 'Date.now'],
    ['new Date()', 'new Date'],
    ['Math.random()', 'Math.random'],
    ['process.env', 'process.'],
    [`require('node:fs')`, 'node:'],
    ['setTimeout(a, 1)', 'setTimeout'],
    [`fetch('http://a')`, 'fetch('],
    [`'http://a' + console.log(1)`, 'console.'],
    ['globalThis', 'globalThis'],
    ['Temporal.Now.instant()', 'Temporal.Now'],
  ])('%s is refused', (code, name) => {
    const files = { 'packages/engine/src/tokens/a.ts': `export const a = ${code}` }
    expectViolation(files, `the engine is pure and may not use ${name}`)
  })

  test('one file holds the defaults of the ports, and may use the clock', () => {
    const code = 'export const a = { now: () => Date.now(), after: setTimeout }'
    writeTree({ 'packages/engine/src/context/runtime.ts': code })
    expect(checkTree(root).passed).toBe(true)
    expectViolation({ 'packages/engine/src/context/other.ts': code }, 'the engine is pure and may not use Date.now')
  })
})

describe('folder names', () => {
  test.each(['core', 'utils', 'helpers', 'common', 'manager'])('%s is refused', (name) => {
    expectViolation({ [`packages/store/src/${name}/a.ts`]: '' }, `no folder is called ${name}`)
  })

  test('the rule holds outside the packages too', () => {
    expectViolation({ 'scripts/utils/a.ts': '' }, 'no folder is called utils')
  })
})

function expectViolation(files: Readonly<Record<string, string>>, message: string): void {
  writeTree(files)
  const { lines, passed } = checkTree(root)
  expect(lines.slice(0, -1).filter((line) => /^\S+:\d+ /.test(line) && line.includes(message))).not.toEqual([])
  expect(passed).toBe(false)
}

function runScript(files: Readonly<Record<string, string>>): { lines: string[]; status: number | null } {
  writeTree(files)
  const { stdout, status } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
  return { lines: stdout.trimEnd().split('\n'), status }
}

function writeTree(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
