import { engineRooms } from './arrow-table.ts'
import { isRelative, isTest, isTestSupport, resolveImport } from './source-tree.ts'
import type { SourceFile, SourceTree, Violation } from './source-tree.ts'

const home = 'packages/engine/src/'

const ENTRIES: readonly string[] = ['index.ts', 'advanced.ts', 'testing.ts']

/** A room of the engine imports only the rooms below it. The package's entries and test code see them all. */
export function findForbiddenRoomImports(tree: SourceTree): Violation[] {
  return tree.files
    .filter((file) => file.path.startsWith(home) && !ENTRIES.includes(file.path.slice(home.length)))
    .filter((file) => !isTest(file.path) && !isTestSupport(file.path))
    .flatMap((file) => judgeFile(tree, file))
}

function judgeFile(tree: SourceTree, file: SourceFile): Violation[] {
  const room = roomOf(file.path)
  const granted = engineRooms[room]
  if (granted === undefined) {
    const message =
      room === ''
        ? 'only the entries of the package lie outside the rooms'
        : `room ${room} is not in the table of rooms`
    return [{ file: file.path, line: 1, message }]
  }
  return file.imports.flatMap((found) => {
    const target = isRelative(found.specifier) ? resolveImport(tree, file, found.specifier) : undefined
    // What lies outside the rooms is judged by the package arrows.
    if (target === undefined || !target.startsWith(home) || isTest(target) || isTestSupport(target)) return []
    const wanted = roomOf(target)
    if (wanted === room || granted.includes(wanted)) return []
    const message = `room ${room} may not import ${wanted === '' ? 'the package index' : `room ${wanted}`}`
    return [{ file: file.path, line: found.line, message }]
  })
}

function roomOf(path: string): string {
  const inside = path.slice(home.length)
  return inside.includes('/') ? inside.slice(0, inside.indexOf('/')) : ''
}
