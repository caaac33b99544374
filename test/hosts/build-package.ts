import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { emitPackages } from '../../scripts/pack/emit-packages.ts'
import { stagePackage } from '../../scripts/pack/stage-package.ts'

/** A package as its users have it: compiled, with the other packages of Longhaul below its own `node_modules`. */
export interface BuiltPackage {
  readonly folder: string
  readonly remove: () => Promise<void>
}

const ROOT = join(import.meta.dirname, '../..')
/** Below `node_modules`, so that dependencies of others are found from there. */
const CACHE = join(ROOT, 'node_modules/.cache/longhaul')
const NEEDED = ['engine', 'models', 'store'] as const

/** `path`: the package's folder, such as `hosts/openclaw`. For hosts that are slow to load TypeScript, or cannot. */
export async function buildPackage(path: string): Promise<BuiltPackage> {
  await mkdir(CACHE, { recursive: true })
  const stage = await mkdtemp(join(CACHE, 'built-'))
  const remove = (): Promise<void> => rm(stage, { recursive: true, force: true, maxRetries: 5 })
  try {
    emitPackages(ROOT, stage)
    const folder = await stagePackage({ root: ROOT, path, stage })
    for (const name of NEEDED) {
      const needed = await stagePackage({ root: ROOT, path: `packages/${name}`, stage })
      await cp(needed, join(folder, 'node_modules/@longhaul', name), { recursive: true })
    }
    return { folder, remove }
  } catch (error) {
    await remove()
    throw error
  }
}
