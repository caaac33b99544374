import { blankComments, lineAt } from './read-imports.ts'
import { isTest, isTestSupport } from './source-tree.ts'
import type { SourceTree, Violation } from './source-tree.ts'

/** Clock, randomness, environment and I/O reach the engine through ports; the compiler catches only some of these. */
const impurities: readonly RegExp[] = [
  /\bDate\.now\b/g,
  /\bnew Date\b(?!\s*\(\s*[^)\s])/g,
  /\bTemporal\.Now\b/g,
  /\bMath\.random\b/g,
  /\bglobalThis\b/g,
  /\bprocess\.(?=\w)/g,
  /(?<=['"`])node:(?=\w)/g,
  /\bset(?:Timeout|Interval|Immediate)\b/g,
  /(?<![.\w])fetch\(/g,
  /\bconsole\.(?=\w)/g,
]

/** The one file that offers the clock, ids and stop signals of its program as defaults for these ports. */
const RUNTIME = 'packages/engine/src/context/runtime.ts'

export function findImpurities(tree: SourceTree): Violation[] {
  return tree.files
    .filter(
      (file) =>
        file.packageName === 'engine' && file.path !== RUNTIME && !isTest(file.path) && !isTestSupport(file.path),
    )
    .flatMap((file) => {
      const code = blankComments(file.text)
      return impurities.flatMap((pattern) =>
        [...code.matchAll(pattern)].map((match) => ({
          file: file.path,
          line: lineAt(code, match.index),
          message: `the engine is pure and may not use ${match[0]}`,
        })),
      )
    })
}
