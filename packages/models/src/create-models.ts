import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import { createAsker } from './create-asker.ts'
import { createEmbedder } from './embedding/create-embedder.ts'
import { createOfflineModel } from './offline/create-offline-model.ts'
import type { OfflineModelOptions } from './offline/create-offline-model.ts'
import { createErrorClassifier } from './overflow/create-error-classifier.ts'
import type { UserPattern } from './overflow/user-patterns.ts'
import type { ModelCall, Timeouts } from './port/model-call.ts'
import type { ModelEvent } from './port/model-event.ts'
import type { ModelFailure } from './port/model-failure.ts'
import type { ModelInfo } from './port/model-info.ts'
import type { Models } from './port/models.ts'
import type { ConnectedModel } from './providers/connected-model.ts'
import { createConnections } from './providers/create-connections.ts'
import type { Connection, Environment } from './providers/create-connections.ts'
import { findDialect } from './providers/find-dialect.ts'
import { createRedactor } from './providers/create-redactor.ts'
import { parseConfig } from './providers/parse-config.ts'
import type { ModelConfig, ProviderConfig } from './providers/parse-config.ts'
import type { Fetch } from './providers/provider-recipe.ts'
import { createRegistry } from './registry/create-registry.ts'
import { priceUsage } from './registry/price-usage.ts'
import { systemClock } from './stream/clock.ts'
import type { Clock } from './stream/clock.ts'
import { sealFailure } from './stream/failures.ts'
import { streamCall } from './stream/stream-call.ts'

const OFFLINE_MODEL = 'offline/extractive'

export interface ModelsOptions {
  readonly providers?: Readonly<Record<string, ProviderConfig>>
  /** By `provider/model`: the last word on windows, outputs and prices. */
  readonly models?: Readonly<Record<string, ModelConfig>>
  /** Where keys are looked for that the configuration does not have. Nothing is read unless it is handed in. */
  readonly environment?: Environment
  readonly defaultModel?: string
  readonly offline?: OfflineModelOptions
  /** Models of one's own, by `provider/model`. */
  readonly extra?: Readonly<Record<string, ExtraModel>>
  /** Embedding models of one's own, by `provider/model`. */
  readonly extraEmbeddings?: Readonly<Record<string, EmbeddingModelV4>>
  /** Texts of endpoints nobody here knows. */
  readonly overflowPatterns?: readonly UserPattern[]
  /** For calls that bring none of their own. */
  readonly timeouts?: Partial<Timeouts>
  readonly fetch?: Fetch
  readonly clock?: Clock
  /** From 0 to 1; spreads retries. */
  readonly random?: () => number
}

/** Any language model of the AI SDK, with what is known about it. */
export interface ExtraModel {
  readonly model: LanguageModelV4
  readonly info?: ModelConfig
}

export function createModels(options: ModelsOptions = {}): Models {
  const { providers = {}, environment = {}, extra = {}, clock = systemClock, random = Math.random } = options
  const ownEmbeddings = new Map(Object.entries(options.extraEmbeddings ?? {}))
  const config = parseConfig({ providers, models: gatherModels(options) })
  const ownIds = [OFFLINE_MODEL, ...Object.keys(extra)]
  const connections = createConnections({ providers: config.providers, environment, fetch: options.fetch, ownIds })
  const registry = createRegistry({
    overrides: config.models,
    providers: config.providers,
    isAvailable: (provider) => connections.isAvailable(provider),
  })
  const offline = createOfflineModel({
    ...options.offline,
    windowTokens: registry.describe(OFFLINE_MODEL).contextWindow,
  })
  const own: ReadonlyMap<string, ConnectedModel> = new Map([
    [OFFLINE_MODEL, connectOwn(offline)],
    ...Object.entries(extra).map(([id, { model }]) => [id, connectOwn(model)] as const),
  ])
  const redact = createRedactor(connections.secrets)
  const classify = createErrorClassifier({ overflowPatterns: options.overflowPatterns })

  function describe(id: string): ModelInfo {
    const info = registry.describe(id)
    return own.has(id) || ownEmbeddings.has(id) ? { ...info, available: true } : info
  }

  function stream(id: string, call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const info = describe(id)
    const connected = own.get(id)
    const connection: Connection = connected === undefined ? connections.connect(info) : { ok: true, connected }
    if (!connection.ok) return fail(sealFailure(connection.failure, redact))
    return streamCall({
      ...connection.connected,
      call: { ...call, timeouts: { ...options.timeouts, ...call.timeouts } },
      signal,
      classify,
      priceOf: (usage) => priceUsage(info.price, usage),
      redact,
      clock,
      random,
    })
  }

  return {
    defaultModel: options.defaultModel ?? connections.defaultModel ?? OFFLINE_MODEL,
    list: () => registry.list().map(({ id }) => describe(id)),
    describe,
    windowOf: (id) => registry.windowOf(id),
    price: (id, usage) => priceUsage(describe(id).price, usage),
    stream,
    asker: (sessionModel) => createAsker(stream, sessionModel),
    embedder(id) {
      const model = ownEmbeddings.get(id)
      const connection = model === undefined ? connections.connectEmbedding(describe(id)) : { ok: true as const, model }
      return createEmbedder({ id, connection, classify, redact, clock, random })
    },
  }
}

/** What was said about models, wherever it was said; the configuration has the last word. */
function gatherModels({ offline = {}, extra = {}, models = {} }: ModelsOptions): Readonly<Record<string, ModelConfig>> {
  const { windowTokens } = offline
  const ofExtra = Object.entries(extra).map(([id, { info = {} }]) => [id, info] as const)
  return {
    ...(windowTokens === undefined ? {} : { [OFFLINE_MODEL]: { contextWindow: windowTokens } }),
    ...Object.fromEntries(ofExtra),
    ...models,
  }
}

/** Without a recipe: nothing is known of what its vendor wants, so it is given what everybody takes. */
function connectOwn(model: LanguageModelV4): ConnectedModel {
  return { model, dialect: findDialect(model.provider), prepare: (options) => options }
}

async function* fail(failure: ModelFailure): AsyncGenerator<ModelEvent> {
  yield { type: 'failure', failure, parts: [], usage: null }
}
