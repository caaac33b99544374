import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Variables } from '@longhaul/runtime/environment'

/** The path of a program as a shell would find it; null: there is none of that name. */
export function findProgram(name: string, { PATH = '' }: Variables): string | null {
  if (name.includes('/')) return isProgram(name) ? name : null
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
