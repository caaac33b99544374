import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The folders that packages lie in. */
export const PACKAGE_HOMES = ['packages', 'hosts'] as const

/** Compiles all packages in one program: each finds the others' sources, and nothing depends on an order. */
export function emitPackages(root: string, stage: string): void {
  const config = join(stage, 'tsconfig.json')
  const up = relative(stage, root)
  const sources = PACKAGE_HOMES.map((home) => `${up}/${home}/*/src`)
  writeFileSync(
    config,
    JSON.stringify({
      extends: `${up}/tsconfig.json`,
      compilerOptions: {
        noEmit: false,
        allowImportingTsExtensions: false,
        rewriteRelativeImportExtensions: true,
        declaration: true,
        typeRoots: [`${up}/node_modules/@types`],
        rootDir: up,
        outDir: '.',
      },
      include: sources,
      // What tests share is left out, except where a package offers it: then it is imported.
      exclude: [`${up}/packages/web`, ...sources.flatMap((each) => [`${each}/**/*.test.ts`, `${each}/**/testing`])],
    }),
  )
  const { status, stdout, error } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The packages could not be compiled: ${error?.message ?? stdout}`)
}
