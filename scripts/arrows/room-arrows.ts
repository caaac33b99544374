import { roomArrows } from './arrow-table.ts'
import { isRelative, isTest, isTestSupport, resolveImport } from './source-tree.ts'
import type { SourceFile, SourceTree, Violation } from './source-tree.ts'

/**
 * A room is a folder of a package; a file beside the rooms counts as a room of its own. A room imports only what its row
 * of the table grants. The package's entries and test code see all rooms.
 */
export function findForbiddenRoomImports(tree: SourceTree): Violation[] {
  const entries = new Set(tree.entries.values())
  return tree.files
    .filter(({ path }) => !entries.has(path) && !isTest(path) && !isTestSupport(path))
    .flatMap((file) => judgeFile(tree, file))
}

function judgeFile(tree: SourceTree, file: SourceFile): Violation[] {
  const table = roomArrows[file.packageName]
  if (table === undefined) return []
  const room = findRoom(file.path)
  const granted = table[room]
  if (granted === undefined)
    return [{ file: file.path, line: 1, message: `${describe(room)} is not in the table of rooms` }]
  return file.imports.flatMap(({ specifier, line }) => {
    const target = isRelative(specifier) ? resolveImport(tree, file, specifier) : undefined
    // Imports that leave the package, and imports of test code, are judged by the package arrows.
    if (target === undefined || !target.startsWith(homeOf(file)) || isTest(target) || isTestSupport(target)) return []
    const wanted = findRoom(target)
    if (wanted === room || granted.includes(wanted)) return []
    return [{ file: file.path, line, message: `${describe(room)} may not import ${describe(wanted)}` }]
  })
}

function homeOf({ packageFolder }: SourceFile): string {
  return `${packageFolder}/src/`
}

/** `packages/engine/src/tokens/meter.ts` → `tokens`; `packages/agent/src/agent-error.ts` → `agent-error.ts`. */
function findRoom(path: string): string {
  return path.split('/')[3] ?? ''
}

function describe(room: string): string {
  return room.includes('.') ? `the file ${room}` : `room ${room}`
}
