import { KEY_VARIABLES } from '@longhaul/models'
import type { Config, Sourced } from '../config/config.ts'
import { keyOf, showPath } from '../config/file/key-path.ts'
import { hideSecrets, maskSecret } from '../config/secrets.ts'
import { createConfiguredModels } from '../wiring/create-configured-models.ts'
import { createFileRow, listValues, markCeiling } from './config-row.ts'
import type { ConfigRow } from './config-row.ts'
import { explainPolicy } from './explain-policy.ts'
import { toSafeValue } from './safe-value.ts'

/** Every value that is in force for sessions that say nothing else, then what the agents of the list change. */
export function explainConfig(config: Config): readonly ConfigRow[] {
  const {
    providers,
    models,
    overflowPatterns,
    postgres,
    memory,
    tools,
    mcp,
    server,
    gateway,
    audit,
    limits,
    preset,
    agents,
  } = config
  const { model: _model, preset: _preset, policy: _policy, ...ofDefaults } = agents.defaults
  return [
    ...explainPlaces(config),
    explainDefaultModel(config),
    ...explainKeys(config),
    ...explainGroup(config, {
      providers,
      models,
      overflowPatterns,
      postgres,
      memory,
      tools,
      mcp,
      server,
      gateway: { ...gateway, upstreams: showUpstreams(config) },
      audit,
      limits,
      preset,
    }),
    ...explainGroup(config, { agents: { defaults: ofDefaults } }),
    ...explainPolicy(config),
    ...explainAgents(config),
  ]
}

/** As they are written: with a type of their own only where the file says one. */
function showUpstreams({ gateway: { upstreams }, origins }: Config): Readonly<Record<string, unknown>> {
  const shown = Object.entries(upstreams).map(([name, upstream]) => {
    const isWritten = origins.has(keyOf(['gateway', 'upstreams', name, 'baseURL']))
    return [name, isWritten ? upstream : upstream.baseURL] as const
  })
  return Object.fromEntries(shown)
}

function explainPlaces({ places, token, hasFile }: Config): readonly ConfigRow[] {
  const { dataFolder, configFile, store, workspace, memoryFolder } = places
  const row = (key: string, { value, source }: Sourced<string | null>): ConfigRow => ({ key, value, source })
  return [
    row('data', dataFolder),
    { ...row('config', configFile), ...(hasFile ? {} : { note: 'not there; everything has its default' }) },
    { ...row('store', store), value: hideSecrets(store.value) },
    row('workspace', workspace),
    { ...row('memory.folder', memoryFolder), ...(memoryFolder.value === null ? { note: 'in the store' } : {}) },
    {
      key: 'token',
      value: token === null ? null : maskSecret(token),
      source: token === null ? 'default' : 'environment LONGHAUL_TOKEN',
    },
  ]
}

/** The configured one, else that of the first vendor with a key, else the one that needs none. */
function explainDefaultModel(config: Config): ConfigRow {
  const path = ['agents', 'defaults', 'model']
  const { defaultModel } = createConfiguredModels(config)
  const fromFile = createFileRow(config, path, defaultModel)
  if (fromFile !== null) return fromFile
  const [provider = ''] = defaultModel.split('/')
  const row = { key: showPath(path), value: defaultModel }
  const key = createFileRow(config, ['providers', provider, 'apiKey'], null)
  if (key !== null) return { ...row, source: key.source, note: `because ${provider} has a key` }
  const variable = KEY_VARIABLES[provider]
  if (variable !== undefined) return { ...row, source: `environment ${variable}` }
  return { ...row, source: 'default', note: 'because no provider has a key' }
}

/** Keys from the environment; one in the file goes before it and is listed with the rest of the file. */
function explainKeys({ providerKeys, origins }: Config): readonly ConfigRow[] {
  return Object.entries(KEY_VARIABLES).flatMap(([provider, variable]) => {
    const path = ['providers', provider, 'apiKey']
    const value = providerKeys[variable]
    if (value === undefined || origins.has(keyOf(path))) return []
    return [{ key: showPath(path), value: maskSecret(value), source: `environment ${variable}` }]
  })
}

function explainGroup(config: Config, group: object): readonly ConfigRow[] {
  return listValues(group, []).map(({ path, value }) => {
    const safe = toSafeValue(path, value)
    const row = createFileRow(config, path, safe)
    return row ?? { key: showPath(path), value: safe, source: 'default', ...markCeiling(path) }
  })
}

/** Only what they say themselves: the rest is that of all agents. */
function explainAgents(config: Config): readonly ConfigRow[] {
  return Object.entries(config.agents.list).flatMap(([name, { policy, ...own }]) =>
    listValues({ ...own, ...policy }, ['agents', 'list', name]).flatMap(
      ({ path, value }) => createFileRow(config, path, toSafeValue(path, value)) ?? [],
    ),
  )
}
