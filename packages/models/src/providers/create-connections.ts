import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { findNearestName } from '@longhaul/engine/advanced'
import type { ModelFailure, ModelFailureKind } from '../port/model-failure.ts'
import type { ModelInfo } from '../port/model-info.ts'
import { parseModelId } from '../registry/find-facts.ts'
import { createFailure } from '../stream/failures.ts'
import { findSecrets } from './find-secrets.ts'
import type { ConnectedModel } from './connected-model.ts'
import type { ParsedProvider } from './parse-config.ts'
import type { Fetch, ProviderSettings } from './provider-recipe.ts'
import { DEFAULT_MODELS, KEY_VARIABLES, RECIPES } from './recipes.ts'
import type { ProviderType } from './recipes.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ConnectionOptions {
  readonly providers: Readonly<Record<string, ParsedProvider>>
  readonly environment: Environment
  readonly fetch: Fetch | undefined
  /** Models that need no provider, for the message about an unknown one. */
  readonly ownIds: readonly string[]
}

interface Refusal {
  readonly ok: false
  readonly failure: ModelFailure
}

export type Connection = { readonly ok: true; readonly connected: ConnectedModel } | Refusal

export type EmbeddingConnection = { readonly ok: true; readonly model: EmbeddingModelV4 } | Refusal

/** The configured providers, and those a key in the environment is enough for. */
export interface Connections {
  isAvailable(provider: string): boolean
  /** Nothing is sent yet; the same model is connected once. */
  connect(info: ModelInfo): Connection
  connectEmbedding(info: ModelInfo): EmbeddingConnection
  /** Of the first vendor that has a key; null if none has. */
  readonly defaultModel: string | null
  /** Everything that must never be shown. */
  readonly secrets: readonly string[]
}

interface Provider extends ProviderSettings {
  readonly type: ProviderType
}

interface FoundProvider {
  readonly ok: true
  readonly settings: Provider
  readonly modelName: string
}

export function createConnections({ providers, environment, fetch, ownIds }: ConnectionOptions): Connections {
  const all = readProviders(providers, environment)
  const connected = new Map<string, ConnectedModel>()

  function connect(info: ModelInfo): Connection {
    const known = connected.get(info.id)
    if (known !== undefined) return { ok: true, connected: known }
    const found = find(info)
    if (!found.ok) return found
    const { modelName, settings } = found
    const model = RECIPES[settings.type].connect({ modelName, settings, cache: info.cache, fetch })
    connected.set(info.id, model)
    return { ok: true, connected: model }
  }

  function connectEmbedding(info: ModelInfo): EmbeddingConnection {
    const found = find(info)
    if (!found.ok) return found
    const { modelName, settings } = found
    const model = RECIPES[settings.type].connectEmbedding?.({ modelName, settings, fetch })
    return model === undefined
      ? refuse('unknown-model', `${settings.name} has no embedding models. Choose one of another provider.`)
      : { ok: true, model }
  }

  function find(info: ModelInfo): FoundProvider | Refusal {
    const settings = all.get(info.provider)
    if (settings === undefined) return refuse('unknown-model', describeUnknown(info, [...all.keys()], ownIds))
    if (!isCallable(settings)) return refuse('auth', describeMissingKey(settings))
    return { ok: true, settings, modelName: parseModelId(info.id).model }
  }

  return {
    connect,
    connectEmbedding,
    isAvailable(name) {
      const provider = all.get(name)
      return provider !== undefined && isCallable(provider)
    },
    defaultModel: DEFAULT_MODELS.find((id) => hasVendorKey(all.get(parseModelId(id).provider))) ?? null,
    secrets: [...all.values()].flatMap(findSecrets),
  }
}

function readProviders(
  configured: ConnectionOptions['providers'],
  environment: Environment,
): ReadonlyMap<string, Provider> {
  const vendors = Object.keys(KEY_VARIABLES).map((name) => [name, { type: name as ProviderType }] as const)
  const all = Object.entries({ ...Object.fromEntries(vendors), ...configured })
  return new Map(all.map(([name, provider]) => [name, readProvider(name, provider, environment)]))
}

function readProvider(
  name: string,
  { type, apiKey, baseURL, headers = {}, api = 'responses' }: ParsedProvider,
  environment: Environment,
): Provider {
  const { keyVariable } = RECIPES[type]
  // A vendor's key goes to that vendor alone, never to a server of another name that speaks its format.
  const fromEnvironment = keyVariable !== null && name === type ? environment[keyVariable] : undefined
  const key = (apiKey ?? fromEnvironment ?? '').trim()
  return { name, type, apiKey: key === '' ? null : key, baseURL: baseURL?.replace(/\/+$/, '') ?? null, headers, api }
}

/** Of the vendor itself, not of another server that was given its name. */
function hasVendorKey(provider: Provider | undefined): boolean {
  return provider !== undefined && provider.apiKey !== null && provider.type === provider.name
}

/** A server of one's own may need no key; a vendor's always does. */
function isCallable({ apiKey, baseURL }: Provider): boolean {
  return apiKey !== null || baseURL !== null
}

function describeMissingKey({ name, type }: Provider): string {
  const { keyVariable } = RECIPES[type]
  const variable = name === type && keyVariable !== null ? `set ${keyVariable}, or ` : ''
  return `There is no API key for ${name}: ${variable}write it to providers.${name}.apiKey in the configuration.`
}

function describeUnknown({ id, provider }: ModelInfo, names: readonly string[], ownIds: readonly string[]): string {
  const choice = `Providers are ${names.join(', ')}; without one there are ${ownIds.join(', ')}.`
  const isOwnProvider = ownIds.some((ownId) => ownId.startsWith(`${provider}/`))
  if (provider === '') return `"${id}" is not a model id: write provider/model. ${choice}`
  if (isOwnProvider) return `There is no model "${id}". ${choice}`
  const nearest = findNearestName(provider, names)
  return `No provider is called "${provider}"${nearest === undefined ? '.' : `; did you mean ${nearest}?`} ${choice}`
}

function refuse(kind: ModelFailureKind, message: string): Refusal {
  return { ok: false, failure: createFailure(kind, message) }
}
