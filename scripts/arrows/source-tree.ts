import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type Import, readImports } from './read-imports.ts'

export interface SourceFile {
  /** Relative to the root, with forward slashes: `packages/engine/src/tokens/estimate.ts`. */
  readonly path: string
  readonly packageName: string
  /** `packages/engine`. */
  readonly packageFolder: string
  readonly text: string
  readonly imports: readonly Import[]
}

export interface SourceTree {
  /** The folders of all packages: `packages/engine`, `hosts/pi`. A package is called by the last part. */
  readonly packageFolders: readonly string[]
  /** TypeScript below the `src` of a package, in order of path. */
  readonly files: readonly SourceFile[]
  /** Every folder of the repository that is ours. */
  readonly folders: readonly string[]
  /** `@longhaul/store/port` → the file its package exports under that name. */
  readonly entries: ReadonlyMap<string, string>
}

export interface Violation {
  readonly file: string
  readonly line: number
  readonly message: string
}

export const scope = '@longhaul/'
const foreignFolders = new Set(['node_modules', 'dist', 'coverage', 'fixtures'])

export function readSourceTree(root: string): SourceTree {
  const folders = listFolders(root, '')
  const packageFolders = folders.filter((folder) => /^(?:packages|hosts)\/[^/]+$/.test(folder))
  const files = folders.flatMap((folder) => readFolder(root, folder))
  return { packageFolders, folders, files: sortByPath(files), entries: readEntries(root, packageFolders) }
}

/** The file an import leads to when it is one of ours; undefined for libraries and for files that do not exist. */
export function resolveImport(tree: SourceTree, from: SourceFile, specifier: string): string | undefined {
  return isRelative(specifier) ? posix.join(posix.dirname(from.path), specifier) : tree.entries.get(specifier)
}

export function isRelative(specifier: string): boolean {
  return specifier.startsWith('.')
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}

/** Shared test material (generators, conformance suites) lies in a `testing` folder; `src/testing.ts` offers it to others. */
export function isTestSupport(path: string): boolean {
  return path.includes('/testing/') || path.endsWith('/src/testing.ts')
}

function listFolders(root: string, folder: string): string[] {
  const names = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !foreignFolders.has(entry.name))
    .map((entry) => posix.join(folder, entry.name))
  return names.flatMap((name) => [name, ...listFolders(root, name)])
}

function readFolder(root: string, folder: string): SourceFile[] {
  const packageFolder = /^((?:packages|hosts)\/[^/]+)\/src(?:\/|$)/.exec(folder)?.[1]
  if (packageFolder === undefined) return []
  const packageName = posix.basename(packageFolder)
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const path = posix.join(folder, entry.name)
      const text = readFileSync(join(root, path), 'utf8')
      return { path, packageName, packageFolder, text, imports: readImports(text) }
    })
}

function readEntries(root: string, packageFolders: readonly string[]): Map<string, string> {
  const entries = new Map<string, string>()
  for (const folder of packageFolders) {
    const manifest = join(root, folder, 'package.json')
    if (!existsSync(manifest)) continue
    const { exports = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      exports?: string | Record<string, unknown>
    }
    for (const [entry, target] of Object.entries(typeof exports === 'string' ? { '.': exports } : exports)) {
      if (typeof target !== 'string') continue
      entries.set(posix.join(scope + posix.basename(folder), entry), posix.join(folder, target))
    }
  }
  return entries
}

function sortByPath(files: readonly SourceFile[]): SourceFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}
