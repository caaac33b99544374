import { posix } from 'node:path'
import { emptyFolderNames } from './arrow-table.ts'
import type { SourceTree, Violation } from './source-tree.ts'

/** A folder is named after the concept it holds. */
export function findEmptyFolderNames(tree: SourceTree): Violation[] {
  return tree.folders
    .filter((folder) => emptyFolderNames.includes(posix.basename(folder)))
    .map((folder) => ({ file: folder, line: 1, message: `no folder is called ${posix.basename(folder)}` }))
}
