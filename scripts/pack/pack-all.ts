import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PACKAGE_HOMES, emitPackages } from './emit-packages.ts'
import { stagePackage } from './stage-package.ts'

export interface PackOptions {
  /** The checkout. */
  readonly root: string
  /** Where the tarballs go; those of the same names are replaced, once the new ones are there. */
  readonly folder: string
}

/** The names of the tarballs, one a package. The web app must have been built. */
export async function packAll({ root, folder }: PackOptions): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const stage = await mkdtemp(join(folder, '.stage-'))
  try {
    emitPackages(root, stage)
    const homes = await Promise.all(PACKAGE_HOMES.map(async (home) => readFolders(root, home)))
    const folders = await Promise.all(homes.flat().map((path) => stagePackage({ root, path, stage })))
    const tarballs = runNpmPack(folders, stage)
    await Promise.all(tarballs.map((name) => rename(join(stage, name), join(folder, name))))
    return tarballs
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}

async function readFolders(root: string, home: string): Promise<readonly string[]> {
  return (await readdir(join(root, home))).map((name) => join(home, name))
}

function runNpmPack(packages: readonly string[], folder: string): string[] {
  const words = ['pack', '--ignore-scripts', '--pack-destination', folder, ...packages]
  const { status, stdout, stderr } = spawnSync('npm', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  return stdout.trim().split('\n').toSorted()
}
