import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import type { CacheBehaviour } from '../port/model-info.ts'
import type { ConnectedModel } from './connected-model.ts'

export type Fetch = typeof globalThis.fetch

/** One configured provider, checked and complete. */
export interface ProviderSettings {
  /** The part of a model id before the first slash. */
  readonly name: string
  readonly apiKey: string | null
  /** null: the vendor's own address. */
  readonly baseURL: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly api: 'responses' | 'chat'
}

interface ModelToConnect {
  /** The part of a model id after the first slash. */
  readonly modelName: string
  readonly settings: ProviderSettings
  readonly cache: CacheBehaviour | null
  readonly fetch: Fetch | undefined
}

export type EmbeddingToConnect = Omit<ModelToConnect, 'cache'>

/** How to reach one kind of provider. Nothing is sent before the first call. */
export interface ProviderRecipe {
  /** Where its key stands if the configuration has none; null: it needs no key and has no address of its own. */
  readonly keyVariable: string | null
  connect(model: ModelToConnect): ConnectedModel
  /** null: this vendor has no embedding models. */
  readonly connectEmbedding: ((model: EmbeddingToConnect) => EmbeddingModelV4) | null
}
