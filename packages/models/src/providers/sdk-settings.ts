import type { EmbeddingToConnect, Fetch } from './provider-recipe.ts'

interface SdkSettings {
  readonly apiKey: string
  readonly baseURL: string
  readonly headers: Record<string, string>
  readonly fetch?: Fetch
}

/**
 * What the vendors' packages are made with. Key and address are always there, be they empty: left out, the packages
 * would look into the environment of the process by themselves.
 */
export function sdkSettings({ settings, fetch }: EmbeddingToConnect, officialURL: string): SdkSettings {
  return {
    apiKey: settings.apiKey ?? '',
    baseURL: settings.baseURL ?? officialURL,
    headers: { ...settings.headers },
    ...(fetch === undefined ? {} : { fetch }),
  }
}
