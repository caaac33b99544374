import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { READERS } from '../test/hostile/readers.ts'
import { checkReaders } from './readers/check-readers.ts'
import { EXCEPTIONS } from './readers/exceptions.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'longhaul-readers-'))
})

afterEach(() => rmSync(root, { recursive: true }))

test('every reader of this repository is tried or excepted', () => {
  const { lines, passed } = checkReaders({
    root: join(import.meta.dirname, '..'),
    tried: READERS,
    exceptions: EXCEPTIONS,
  })
  expect(passed, lines.join('\n')).toBe(true)
})

describe('a new export', () => {
  test.each([
    ['a function', 'export function readIt(text: string): string {\n  return text\n}'],
    ['an asynchronous one', 'export async function readIt(text: string) {}'],
    ['a generator', 'export function* readIt(text: string) {}'],
    ['a generic one', 'export function readIt<T extends string>(text: T) {}'],
    ['an arrow', 'export const readIt = (text: string) => text'],
    ['an arrow over several lines', 'export const readIt = (\n  text: string,\n) => text'],
    ['an arrow with a type', 'export const readIt: Reader = (text) => text'],
    ['an arrow without brackets', 'export const readIt = text => text'],
    ['one exported later', 'function readIt(text: string) {}\nexport { readIt }'],
    ['one exported later by another name', 'function a(text: string) {}\nexport { a as readIt }'],
    ['a class', 'export class readIt {\n  constructor(text: string) {}\n}'],
    ['a message', 'export function readIt(message: Message) {}'],
    ['a type nobody has vouched for', 'export function readIt(thing: Whatever, count: number) {}'],
    ['a destructured parameter', 'export function readIt({ text, at = 1 }: { text: string; at?: number }) {}'],
    ['a default that is text', "export function readIt(text = '') {}"],
    ['unknown', 'export function readIt(value: unknown) {}'],
  ])('is told: %s', (_what, source) => {
    const { lines, passed } = check({ 'packages/engine/src/summary/read-it.ts': source })
    expect(passed).toBe(false)
    expect(lines[0]).toMatch(/^packages\/engine\/src\/summary\/read-it\.ts:\d+ readIt may see foreign text/)
  })

  test.each([
    'export function add(a: number, b: number, signal?: AbortSignal): number {\n  return a + b\n}',
    'function hidden(text: string) {}\nexport const LIMIT = 5',
    'export interface Reader {\n  (text: string): string\n}\nexport type Text = string',
    '// export function commented(text: string) {}\nexport const words: readonly string[] = []',
  ])('that takes no text is not: %j', (source) => {
    expect(check({ 'packages/engine/src/summary/a.ts': source })).toMatchObject({ passed: true })
  })

  test('is fine once it is tried, or excepted by itself, its file or its folder', () => {
    const source = { 'packages/engine/src/summary/a.ts': 'export function read(text: string) {}' }
    expect(check(source, { 'engine/src/summary/a.ts': { read: String } })).toMatchObject({ passed: true })
    for (const name of ['engine/src/summary/a.ts#read', 'engine/src/summary/a.ts', 'engine/src/summary/'])
      expect(check(source, {}, { [name]: 'It reads nothing.' })).toMatchObject({ passed: true })
  })

  test('with an open pattern is not covered by the exception of a folder', () => {
    const source = {
      'packages/engine/src/request/a.ts': 'export function read(text: string) {\n  return /\\s*$/.test(text)\n}',
    }
    expect(check(source, {}, { 'engine/src/request/': 'It moves things.' })).toMatchObject({ passed: false })
    expect(check(source, {}, { 'engine/src/request/a.ts': 'Anchored.' })).toMatchObject({ passed: true })
  })
})

test('names that exist no more are told', () => {
  const { lines } = check({}, { 'engine/src/a.ts': { gone: String } }, { 'engine/src/b.ts': 'It is gone.' })
  expect(lines).toEqual([
    'test/hostile/readers: engine/src/a.ts#gone is no exported function',
    'scripts/readers/exceptions.ts: nothing needs the exception engine/src/b.ts',
    expect.stringContaining('2 problems'),
  ])
})

function check(
  files: Readonly<Record<string, string>>,
  tried: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
  exceptions: Readonly<Record<string, string>> = {},
) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkReaders({ root, tried, exceptions })
}
