import { isRecord } from '@longhaul/engine/advanced'
import { toCanonicalKey } from './aliases.ts'
import { keyOf, showPath } from './key-path.ts'
import type { KeyPath } from './key-path.ts'
import type { FileSettings, SettingProblem } from './read-settings.ts'

/** Where a value, or a group with values in it, was written, and under which name. */
export interface Origin {
  readonly path: KeyPath
  readonly line: number
}

/** By canonical path (`keyOf`). */
export type Origins = ReadonlyMap<string, Origin>

export interface GatheredSettings {
  /** All values in one object, under their canonical names. */
  readonly content: Readonly<Record<string, unknown>>
  readonly origins: Origins
  readonly problems: readonly SettingProblem[]
}

/** Brings every value to its one name. Two that come to the same name contradict each other, whatever they say. */
export function gatherSettings({ settings, lines }: FileSettings): GatheredSettings {
  const content: Record<string, unknown> = {}
  const origins = new Map<string, Origin>()
  const written = new Map<string, Origin>()
  const problems: SettingProblem[] = []
  const implied: (WrittenKey & { readonly value: unknown })[] = []
  for (const { path, value: said, line } of settings) {
    const { path: canonical, implied: second, toValue } = toCanonicalKey(path)
    const value = toValue(said)
    const other = written.get(keyOf(canonical))
    if (other !== undefined) {
      const message = `says the same as ${showPath(other.path)} in line ${other.line}; keep one of them`
      problems.push({ path, line, message })
      continue
    }
    written.set(keyOf(canonical), { path, line })
    put(content, canonical, value)
    noteOrigins(origins, { canonical, path, lines })
    // A wrong value is told of once, under the name that was written.
    if (second !== null && Number.isInteger(value) && Number(value) >= 0)
      implied.push({ canonical: second, path, lines, value })
  }
  for (const { value, ...key } of implied.filter(({ canonical }) => !written.has(keyOf(canonical)))) {
    put(content, key.canonical, value)
    noteOrigins(origins, key)
  }
  return { content, origins, problems }
}

/** Where a key was written; one that was not, as if it stood in the nearest group around it. */
export function findOrigin(origins: Origins, path: KeyPath): Origin {
  for (let length = path.length; length > 0; length -= 1) {
    const origin = origins.get(keyOf(path.slice(0, length)))
    if (origin !== undefined) return { path: [...origin.path, ...path.slice(length)], line: origin.line }
  }
  return { path, line: 1 }
}

/** Where something that is no group stands in the way, it stays: it is refused later, with its own line. */
function put(content: Record<string, unknown>, path: KeyPath, value: unknown): void {
  const last = path.at(-1)
  if (last === undefined) return
  let group = content
  for (const name of path.slice(0, -1)) {
    const next = Object.hasOwn(group, name) ? group[name] : undefined
    if (next !== undefined && !isRecord(next)) return
    const inner = next ?? {}
    define(group, name, inner)
    group = inner
  }
  const isEmptyGroup = isRecord(value) && Object.keys(value).length === 0
  if (!isEmptyGroup) define(group, last, value)
  else if (!Object.hasOwn(group, last)) define(group, last, {})
}

/** Not by assignment: a key called __proto__ would set the prototype and vanish. */
function define(group: object, name: string, value: unknown): void {
  Object.defineProperty(group, name, { value, enumerable: true, configurable: true, writable: true })
}

interface WrittenKey {
  readonly canonical: KeyPath
  readonly path: KeyPath
  readonly lines: ReadonlyMap<string, number>
}

/** The groups around it as well, as far up as both names run side by side. */
function noteOrigins(origins: Map<string, Origin>, { canonical, path, lines }: WrittenKey): void {
  for (let up = 0; up < canonical.length && up < path.length; up += 1) {
    const key = keyOf(canonical.slice(0, canonical.length - up))
    const written = path.slice(0, path.length - up)
    if (!origins.has(key)) origins.set(key, { path: written, line: lines.get(keyOf(written)) ?? 1 })
  }
}
