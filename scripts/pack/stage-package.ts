import { copyFile, cp, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPublishedManifest } from './published-manifest.ts'
import type { PackageManifest } from './published-manifest.ts'

export interface StageInput {
  readonly root: string
  /** The package's folder, such as `packages/engine`. */
  readonly path: string
  /** Holds what was compiled; what a tarball needs besides is added to it. */
  readonly stage: string
}

/** OpenClaw reads it before it loads a plug-in. */
const PLUGIN_FILE = 'openclaw.plugin.json'

/** Completes what was compiled of one package to what its tarball holds, and returns that folder. */
export async function stagePackage({ root, path, stage }: StageInput): Promise<string> {
  const source = join(root, path)
  const target = join(stage, path)
  await mkdir(target, { recursive: true })
  const manifest = await readManifest(source)
  if (path === 'packages/web') {
    await cp(join(source, 'dist'), join(target, 'dist'), { recursive: true })
    // They are in the build.
    delete manifest.dependencies
  } else {
    await copyAssets(join(source, 'src'), join(target, 'src'))
    if (manifest.openclaw !== undefined) await copyFile(join(source, PLUGIN_FILE), join(target, PLUGIN_FILE))
    if (manifest.bin !== undefined) await cp(join(source, 'bin'), join(target, 'bin'), { recursive: true })
  }
  const { engines } = await readManifest(root)
  const published = createPublishedManifest({ ...manifest, engines: manifest.engines ?? engines })
  await writeFile(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  await copyReadme(source, target, manifest)
  await copyFile(join(root, 'LICENSE'), join(target, 'LICENSE'))
  return target
}

/** A package's own page, where it has one. */
async function copyReadme(source: string, target: string, { name, description }: PackageManifest): Promise<void> {
  const short = `# ${name}\n\n${description}. A part of Longhaul.\n`
  const text = await readFile(join(source, 'README.md'), 'utf8').catch(() => short)
  await writeFile(join(target, 'README.md'), text)
}

async function readManifest(folder: string): Promise<PackageManifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageManifest
}

/** Whatever is read at run time and is no TypeScript: samples, scripts of a page. */
async function copyAssets(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    filter: async (path) => (await stat(path)).isDirectory() || !path.endsWith('.ts'),
  })
}
