import { dirname, join, resolve } from 'node:path'
import type { Environment } from '@longhaul/models'
import type { Places, Sourced } from './config.ts'
import { findOrigin } from './file/gather-settings.ts'
import type { Origins } from './file/gather-settings.ts'
import type { KeyPath } from './file/key-path.ts'
import { isPostgres, readSqliteFile } from './store-address.ts'

/** What the command line says; each goes before the environment and the file. */
export interface ConfigOverrides {
  readonly data?: string
  readonly config?: string
  readonly store?: string
}

export interface PlaceInput {
  readonly environment: Environment
  readonly homeFolder: string
  /** What paths of options and variables start from. */
  readonly currentFolder: string
  readonly overrides: ConfigOverrides
}

type FilePlaces = Pick<Places, 'dataFolder' | 'configFile'>

/** What must be known before the file can be read. */
export function findFilePlaces(input: PlaceInput): FilePlaces {
  const { homeFolder } = input
  const absolute = (path: string): string => toAbsolute(path, input.currentFolder, homeFolder)
  const data = said(input, 'data') ?? { value: join(homeFolder, '.longhaul'), source: 'default' }
  const dataFolder = { ...data, value: absolute(data.value) }
  const config = said(input, 'config') ?? { value: join(dataFolder.value, 'config.json5'), source: 'default' }
  return { dataFolder, configFile: { ...config, value: absolute(config.value) } }
}

interface FileWishes {
  readonly store: string | undefined
  readonly workspace: string | undefined
  readonly memoryFolder: string | undefined
  readonly origins: Origins
}

/** Paths in the file start from the folder it lies in. */
export function findPlaces(input: PlaceInput, found: FilePlaces, wishes: FileWishes): Places {
  const { homeFolder, currentFolder } = input
  const { dataFolder, configFile } = found
  const folder = dirname(configFile.value)
  const sourceOf = (...path: KeyPath): string => `file ${configFile.value}:${findOrigin(wishes.origins, path).line}`
  const fromFile = (path: string | undefined, ...key: KeyPath): Sourced<string> | null =>
    path === undefined ? null : { value: toAbsolute(path, folder, homeFolder), source: sourceOf(...key) }

  const told = said(input, 'store')
  const wished = wishes.store === undefined ? null : { value: wishes.store, source: sourceOf('store') }
  const address = told ?? wished ?? { value: `sqlite:${join(dataFolder.value, 'longhaul.db')}`, source: 'default' }
  const store = { ...address, value: toStoreAddress(address.value, told === null ? folder : currentFolder, homeFolder) }
  const workspace = fromFile(wishes.workspace, 'workspace') ?? {
    value: join(dataFolder.value, 'workspace'),
    source: 'default',
  }
  const memoryFolder = fromFile(wishes.memoryFolder, 'memory', 'folder') ?? {
    // Servers that share a database share no disk.
    value: isPostgres(store.value) ? null : workspace.value,
    source: 'default',
  }
  return { dataFolder, configFile, store, workspace, memoryFolder }
}

const VARIABLES = { data: 'LONGHAUL_DATA', config: 'LONGHAUL_CONFIG', store: 'LONGHAUL_STORE' } as const

function said({ overrides, environment }: PlaceInput, name: keyof typeof VARIABLES): Sourced<string> | null {
  const option = overrides[name]
  if (option !== undefined) return { value: option, source: `option --${name}` }
  const value = environment[VARIABLES[name]]?.trim() ?? ''
  return value === '' ? null : { value, source: `environment ${VARIABLES[name]}` }
}

function toStoreAddress(address: string, folder: string, homeFolder: string): string {
  const file = readSqliteFile(address)
  return file === null ? address : `sqlite:${toAbsolute(file, folder, homeFolder)}`
}

export function toAbsolute(path: string, folder: string, homeFolder: string): string {
  const expanded = path.replace(/^~(?=$|[/\\])/, () => homeFolder)
  return resolve(folder, expanded)
}
