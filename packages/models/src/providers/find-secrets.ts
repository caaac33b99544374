import type { ProviderSettings } from './provider-recipe.ts'

const SECRET_HEADER = /auth|key|token|secret|cookie|password/i

/** What a provider's settings hold that nobody may see: the key, and the values of headers that carry one. */
export function findSecrets({ apiKey, headers }: Pick<ProviderSettings, 'apiKey' | 'headers'>): readonly string[] {
  const fromHeaders = Object.entries(headers)
    .filter(([name]) => SECRET_HEADER.test(name))
    .map(([, value]) => value.replace(/^(?:bearer|basic|token)\s+/i, '').trim())
  return [...(apiKey === null ? [] : [apiKey]), ...fromHeaders]
}
