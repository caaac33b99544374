import { isRecord } from '@longhaul/engine/advanced'
import JSON5 from 'json5'
import { keyOf } from './key-path.ts'
import type { KeyPath } from './key-path.ts'
import { locateKeys } from './locate-keys.ts'

/** One value of the file: a number, a text, a list, an empty group. */
export interface Setting {
  readonly path: KeyPath
  readonly value: unknown
  readonly line: number
}

export interface SettingProblem {
  readonly path: KeyPath
  readonly line: number
  /** Where one sign of the text is meant. */
  readonly column?: number
  readonly message: string
}

export interface FileSettings {
  readonly settings: readonly Setting[]
  /** Of every key, groups included, by path (`keyOf`). */
  readonly lines: ReadonlyMap<string, number>
  readonly problems: readonly SettingProblem[]
}

/** The file as a list of values, each with its line. A text that is not JSON5 is one problem, with line and column. */
export function readSettings(source: string): FileSettings {
  if (source.trim() === '') return withoutSettings([])
  let content: unknown
  try {
    content = JSON5.parse(source)
  } catch (error) {
    return withoutSettings([describeSyntaxError(error)])
  }
  if (!isRecord(content)) {
    return withoutSettings([{ path: [], line: 1, message: 'the file must hold an object: { … }' }])
  }
  const lines = new Map<string, number>()
  const problems: SettingProblem[] = []
  for (const { path, line } of locateKeys(source)) {
    const first = lines.get(keyOf(path))
    // JSON5 would silently forget the first, with everything in it.
    if (first !== undefined) problems.push({ path, line, message: `is written twice, first in line ${first}` })
    lines.set(keyOf(path), line)
  }
  return { settings: flatten(content, [], lines), lines, problems }
}

function withoutSettings(problems: readonly SettingProblem[]): FileSettings {
  return { settings: [], lines: new Map(), problems }
}

/** Deeper than any key lies; what is there is looked at as one value, and refused as one. */
const MAX_DEPTH = 8

function flatten(
  group: Readonly<Record<string, unknown>>,
  path: KeyPath,
  lines: ReadonlyMap<string, number>,
): Setting[] {
  return Object.entries(group).flatMap(([name, value]) => {
    const own = [...path, name]
    const isGroup = isRecord(value) && Object.keys(value).length > 0 && own.length < MAX_DEPTH
    return isGroup ? flatten(value, own, lines) : [{ path: own, value, line: lines.get(keyOf(own)) ?? 1 }]
  })
}

function describeSyntaxError(error: unknown): SettingProblem {
  const { lineNumber: line = 1, columnNumber: column = 1 } = error as { lineNumber?: number; columnNumber?: number }
  const text = error instanceof Error ? error.message : String(error)
  return { path: [], line, column, message: text.replace(/^JSON5: /, '').replace(/ at \d+:\d+$/, '') }
}
