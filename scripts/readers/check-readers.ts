import { isTest, isTestSupport, readSourceTree } from '../arrows/source-tree.ts'
import type { SourceFile } from '../arrows/source-tree.ts'
import { findExportedFunctions } from './exported-functions.ts'
import { findOpenPatterns } from './open-patterns.ts'
import { mayTakeText } from './takes-text.ts'

export interface CheckInput {
  readonly root: string
  /** Tried with hostile text: names of exports by file, below `packages/`; files of hosts begin with `hosts/`. */
  readonly tried: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Reasons, by what needs no try: a folder (`…/`), a file, or one export of a file (`file.ts#name`). */
  readonly exceptions: Readonly<Record<string, string>>
}

export interface CheckReport {
  readonly lines: readonly string[]
  readonly passed: boolean
}

/**
 * Says which exported functions may be handed foreign text and are neither tried nor excepted. A folder's exception holds
 * for functions whose file has no open pattern: where text is really read, the file or the function must be named. Names
 * that exist no more are told too, so that the lists stay true.
 */
export function checkReaders({ root, tried, exceptions }: CheckInput): CheckReport {
  const sources = readSourceTree(root).files.filter(({ path }) => !isTest(path) && !isTestSupport(path))
  const used = new Set<string>()
  const known = new Set<string>()
  const lines = sources.flatMap((source) => checkFile(source))
  const stale = Object.entries(tried)
    .flatMap(([file, names]) => Object.keys(names).map((name) => `${file}#${name}`))
    .filter((name) => !known.has(name))
  const unused = Object.keys(exceptions).filter((name) => !used.has(name))
  const all = [
    ...lines,
    ...stale.map((name) => `test/hostile/readers: ${name} is no exported function`),
    ...unused.map((name) => `scripts/readers/exceptions.ts: nothing needs the exception ${name}`),
  ]
  const count = `${known.size} exported functions, ${Object.values(tried).flatMap(Object.keys).length} tried with hostile text, ${all.length} problems`
  return { lines: [...all, count], passed: all.length === 0 }

  function checkFile({ path, text }: SourceFile): readonly string[] {
    const file = path.replace(/^packages\//, '')
    const patterns = findOpenPatterns(text)
    return findExportedFunctions(text).flatMap((exported) => {
      const name = `${file}#${exported.name}`
      known.add(name)
      if (!mayTakeText(exported) || Object.hasOwn(tried[file] ?? {}, exported.name)) return []
      const exception = findException(name, file, patterns.length > 0)
      if (exception === null)
        return [
          `${path}:${exported.line} ${exported.name} may see foreign text: try it in test/hostile/readers, or except it`,
        ]
      used.add(exception)
      return []
    })
  }

  function findException(name: string, file: string, readsText: boolean): string | null {
    const exact = [name, file].find((key) => Object.hasOwn(exceptions, key))
    if (exact !== undefined) return exact
    if (readsText) return null
    return Object.keys(exceptions).find((key) => key.endsWith('/') && file.startsWith(key)) ?? null
  }
}
