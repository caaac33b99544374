import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface HostInstallation {
  readonly name: string
  /** With versions, such as `openclaw@2026.9.6`. */
  readonly packages: readonly string[]
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/longhaul/hosts')
const TIMEOUT_MS = 300_000

/**
 * The folder whose `node_modules` holds a host that is too heavy for the workspace's dependencies. It is installed once;
 * an installation that broke off is never used. Rejects with npm's words where it cannot be installed.
 */
export async function installHost({ name, packages }: HostInstallation): Promise<string> {
  const version = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 12)
  const folder = join(CACHE, `${name}-${version}`)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const fresh = await mkdtemp(`${folder}.`)
  try {
    await writeFile(join(fresh, 'package.json'), '{ "private": true }\n')
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages]
    await promisify(execFile)('npm', words, { cwd: fresh, timeout: TIMEOUT_MS, maxBuffer: 10_000_000 })
    await rename(fresh, folder)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
