import { resolveImport } from './source-tree.ts'
import type { SourceFile, SourceTree, Violation } from './source-tree.ts'

/** Files that import each other in a ring, types counted too. Each ring is told once, at the import that closes it. */
export function findImportCycles(tree: SourceTree): Violation[] {
  const filesByPath = new Map(tree.files.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const trail: string[] = []
  const violations: Violation[] = []

  const visit = (file: SourceFile): void => {
    trail.push(file.path)
    for (const { specifier, line } of file.imports) {
      const target = filesByPath.get(resolveImport(tree, file, specifier) ?? '')
      if (target === undefined || finished.has(target.path)) continue
      const start = trail.indexOf(target.path)
      if (start === -1) visit(target)
      else violations.push({ file: file.path, line, message: `import cycle: ${ring(trail.slice(start))}` })
    }
    trail.pop()
    finished.add(file.path)
  }

  for (const file of tree.files) if (!finished.has(file.path)) visit(file)
  return violations
}

function ring(paths: readonly string[]): string {
  return [...paths, paths[0]].join(' → ')
}
