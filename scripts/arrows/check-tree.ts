import { findImpurities } from './engine-purity.ts'
import { findEmptyFolderNames } from './folder-names.ts'
import { findImportCycles } from './import-cycles.ts'
import { findUnclearImports } from './import-form.ts'
import { findForbiddenPackageImports } from './package-arrows.ts'
import { findForbiddenRoomImports } from './room-arrows.ts'
import { readSourceTree } from './source-tree.ts'

const rules = [
  findForbiddenPackageImports,
  findForbiddenRoomImports,
  findImportCycles,
  findUnclearImports,
  findImpurities,
  findEmptyFolderNames,
]

/** The report on the tree below `root`: a line for each violation, and a count at the end. */
export function checkTree(root: string): { readonly lines: readonly string[]; readonly passed: boolean } {
  const tree = readSourceTree(root)
  const violations = rules.flatMap((findViolations) => findViolations(tree))
  const lines = violations.map(({ file, line, message }) => `${file}:${line} ${message}`)
  const count = `${violations.length} violations in ${tree.files.length} files`
  return { lines: [...lines, count], passed: violations.length === 0 }
}
