import { posix } from 'node:path'
import { browserPackages, dependencyFreePackages, packageArrows, testArrows, testLibraries } from './arrow-table.ts'
import type { Import } from './read-imports.ts'
import { isRelative, isTest, isTestSupport, resolveImport, scope } from './source-tree.ts'
import type { SourceFile, SourceTree, Violation } from './source-tree.ts'

/** A package imports only the packages and libraries the table grants it. */
export function findForbiddenPackageImports(tree: SourceTree): Violation[] {
  const unknown = tree.packageFolders
    .filter((folder) => !(posix.basename(folder) in packageArrows))
    .map((folder) => ({
      file: `${folder}/package.json`,
      line: 1,
      message: `package ${posix.basename(folder)} is not in the table of arrows`,
    }))
  const forbidden = tree.files.flatMap((file) =>
    file.imports.flatMap((found) => {
      const message = judge(tree, file, found)
      return message === undefined ? [] : [{ file: file.path, line: found.line, message }]
    }),
  )
  return [...unknown, ...forbidden]
}

function judge(tree: SourceTree, file: SourceFile, found: Import): string | undefined {
  if (isRelative(found.specifier)) return judgeRelative(tree, file, found)
  if (found.specifier.startsWith(scope)) return judgePackage(file, found)
  return judgeLibrary(file, found)
}

function judgeRelative(tree: SourceTree, file: SourceFile, found: Import): string | undefined {
  const target = resolveImport(tree, file, found.specifier) ?? ''
  const isSharedTestCode = (isTest(file.path) || isTestSupport(file.path)) && target.startsWith('test/')
  if (!target.startsWith(`${file.packageFolder}/`) && !isSharedTestCode) {
    return `a relative import leaves package ${file.packageName}: ${found.specifier}`
  }
  const isForTests = isTest(file.path) || isTestSupport(file.path)
  if (!isForTests && (isTest(target) || isTestSupport(target))) return `a source imports test code: ${found.specifier}`
  return undefined
}

function judgePackage(file: SourceFile, found: Import): string | undefined {
  const wanted = found.specifier.slice(scope.length)
  const granted = [
    ...(packageArrows[file.packageName] ?? []),
    ...(isTest(file.path) || isTestSupport(file.path) ? (testArrows[file.packageName] ?? []) : []),
  ]
  const covers = (arrow: string): boolean => wanted === arrow || wanted.startsWith(`${arrow}/`)
  if (granted.some(covers)) return undefined
  const isGrantedAsType = granted.some((arrow) => arrow.startsWith('type ') && covers(arrow.slice('type '.length)))
  if (!isGrantedAsType) return `package ${file.packageName} may not import ${found.specifier}`
  return found.isTypeOnly ? undefined : `package ${file.packageName} may import only types of ${found.specifier}`
}

function judgeLibrary(file: SourceFile, { specifier }: Import): string | undefined {
  const isForTests = isTest(file.path) || isTestSupport(file.path)
  const isTestLibrary = testLibraries.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  if (isTestLibrary) return isForTests ? undefined : `a source imports the test library ${specifier}`
  const isBuiltIn = specifier.startsWith('node:')
  if (isForTests && isBuiltIn) return undefined
  if (isBuiltIn && browserPackages.includes(file.packageName)) {
    return `package ${file.packageName} runs in a browser and may not import ${specifier}`
  }
  if (dependencyFreePackages.includes(file.packageName)) {
    return `package ${file.packageName} has no dependencies and may not import ${specifier}`
  }
  return undefined
}
