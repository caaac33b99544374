import type { ProviderSettings } from './provider-recipe.ts'

const SECRET_HEADER = /auth|key|token|secret|cookie|password/i

/** What a provider's settings hold that nobody may see: the key, and the values of headers that carry one. */
export function findSecrets({ apiKey, headers }: Pick<ProviderSettings, 'apiKey' | 'headers'>): readonly string[] {
  return [...(apiKey === null ? [] : [apiKey]), ...findHeaderSecrets(headers)]
}

/** Without the name of their scheme: that is no secret, and the rest may stand elsewhere without it. */
export function findHeaderSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => SECRET_HEADER.test(name))
    .map(([, value]) => value.replace(/^(?:bearer|basic|token)\s+/i, '').trim())
}
