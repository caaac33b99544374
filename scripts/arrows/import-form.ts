import { isRelative } from './source-tree.ts'
import type { SourceTree, Violation } from './source-tree.ts'

const namedFile = /\.(?:tsx?|css|json)$/

/** Relative imports name the file itself, and only a file that its package exports hands on what others declare. */
export function findUnclearImports(tree: SourceTree): Violation[] {
  const entryFiles = new Set(tree.entries.values())
  return tree.files.flatMap((file) =>
    file.imports.flatMap(({ specifier, line, isReExport }) => {
      const violations: Violation[] = []
      if (isRelative(specifier) && !namedFile.test(specifier)) {
        violations.push({ file: file.path, line, message: `name the file with its ending .ts: ${specifier}` })
      }
      if (isReExport && !entryFiles.has(file.path)) {
        violations.push({ file: file.path, line, message: `only a package's entry file re-exports: ${specifier}` })
      }
      return violations
    }),
  )
}
