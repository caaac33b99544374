import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DEFAULT_PRESET, toJsonObject } from '@longhaul/engine/advanced'
import type { Environment } from '@longhaul/models'
import { RuntimeError } from '../runtime-error.ts'
import type { AgentConfig, Config, ConfigLimits, Sourced } from './config.ts'
import { splitAgent } from './file/check-agents.ts'
import { readModelSettings } from './file/check-models.ts'
import { readUpstreams } from './file/check-upstreams.ts'
import type { FileContent } from './file/file-schema.ts'
import { readConfigFile } from './file/read-config-file.ts'
import { findFilePlaces, findPlaces, toAbsolute } from './find-places.ts'
import type { ConfigOverrides } from './find-places.ts'
import { findSecrets } from './secrets.ts'
import { splitEnvironment } from './split-environment.ts'
import { STORE_ADDRESS, STORE_ADDRESS_WORDS } from './store-address.ts'

export interface LoadOptions {
  readonly environment: Environment
  readonly homeFolder: string
  /** What relative paths start from. Default: the folder the process runs in. */
  readonly currentFolder?: string
  readonly overrides?: ConfigOverrides
  /** null: there is no such file. Default: from the disk. */
  readonly readFile?: (path: string) => Promise<string | null>
}

const DEFAULT_LIMITS: ConfigLimits = { maintenanceUsdPerDay: 1, sessionUsd: null, retentionDays: null }

/**
 * Options, then the environment, then the file, then defaults. Whatever is wrong is refused in one `RuntimeError` that
 * lists all of it, with path and line. Without a file everything has a default.
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const { environment, homeFolder, currentFolder = process.cwd(), overrides = {} } = options
  const input = { environment, homeFolder, currentFolder, overrides }
  const found = findFilePlaces(input)
  const source = await readSource(found.configFile, options.readFile ?? readIfThere)
  const { content, origins, notes } = readConfigFile(source ?? '', found.configFile.value)
  const places = findPlaces(input, found, {
    store: content.store,
    workspace: content.workspace,
    memoryFolder: content.memory?.folder,
    origins,
  })
  checkStore(places.store)
  const models = readModelSettings(content)
  // The schema leaves out what is missing, which its type does not say.
  const mcp = (content.mcp ?? {}) as Config['mcp']
  const token = environment['LONGHAUL_TOKEN']?.trim() || null
  const storePassword = environment['PGPASSWORD'] || null
  const secrets = [token ?? '', storePassword ?? '', ...findSecrets({ ...models, mcp, store: places.store.value })]
  const { permissions = {}, allowPrivateAddresses = false, environment: letThrough = [] } = content.tools ?? {}
  const inFileFolder = (path: string): string => toAbsolute(path, dirname(places.configFile.value), homeFolder)
  return {
    ...models,
    ...splitEnvironment(environment, { secrets, letThrough }),
    places,
    hasFile: source !== null,
    token,
    postgres: (content.postgres ?? {}) as Config['postgres'],
    memory: { embeddingModel: content.memory?.embeddingModel ?? null },
    storePassword,
    tools: { permissions, allowPrivateAddresses, command: readSandbox(content.tools?.command, inFileFolder) },
    mcp,
    server: { allowedHosts: [], allowedOrigins: [], ...(content.server as Partial<Config['server']> | undefined) },
    gateway: {
      upstreams: readUpstreams(content.gateway?.upstreams),
      preset: content.gateway?.preset ?? content.preset ?? DEFAULT_PRESET,
    },
    audit: { enabled: content.audit?.enabled ?? null },
    limits: { ...DEFAULT_LIMITS, ...(content.limits as Partial<ConfigLimits> | undefined) },
    preset: content.preset ?? DEFAULT_PRESET,
    agents: readAgents(content.agents),
    origins,
    notes,
  }
}

/** A file that was named on the command line must be there; any other may be missing. */
async function readSource(
  { value, source }: Sourced<string>,
  read: NonNullable<LoadOptions['readFile']>,
): Promise<string | null> {
  let text: string | null
  try {
    text = await read(value)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new RuntimeError('unreadable-configuration', `${value} cannot be read: ${reason}`, { cause })
  }
  if (text === null && source.startsWith('option')) {
    throw new RuntimeError('unreadable-configuration', `There is no file ${value}, which ${source} names.`)
  }
  return text
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** The file's own has been checked with the rest of it. */
function checkStore({ value, source }: Sourced<string>): void {
  if (STORE_ADDRESS.test(value)) return
  const issue = { path: 'store', where: source, line: null, message: STORE_ADDRESS_WORDS }
  throw new RuntimeError('invalid-configuration', `${source}: ${STORE_ADDRESS_WORDS}`, { issues: [issue] })
}

function readSandbox(
  command: NonNullable<FileContent['tools']>['command'],
  toPath: (path: string) => string,
): Config['tools']['command'] {
  const { sandbox = 'auto', readable, ...rest } = command ?? {}
  const paths = readable === undefined ? {} : { readable: readable.map(toPath) }
  // The schema leaves out what is missing, which its type does not say.
  return { sandbox, ...(rest as Partial<Config['tools']['command']>), ...paths }
}

function readAgents(agents: FileContent['agents']): Config['agents'] {
  const list = Object.entries(agents?.list ?? {}).map(([name, agent]) => [name, readAgent(agent)] as const)
  return { defaults: readAgent(agents?.defaults), list: Object.fromEntries(list) }
}

type FileAgent = NonNullable<NonNullable<FileContent['agents']>['defaults']>

function readAgent(agent: FileAgent | undefined): AgentConfig {
  const { model = null, preset = null, systemPrompt } = agent ?? {}
  const policy = toJsonObject(splitAgent(agent).policy)
  return { model, preset, ...(systemPrompt === undefined ? {} : { systemPrompt }), policy }
}
