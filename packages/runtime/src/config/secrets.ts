import { redactSecrets } from '@longhaul/engine/advanced'
import { findHeaderSecrets } from '@longhaul/models'
import type { McpServer } from '@longhaul/tools'
import type { ModelSettings } from './file/check-models.ts'

const SECRET_NAME = /(?:key|token|secret|passw(?:or)?d|passphrase|credential|cookie)s?(?:[_-]|$)|^authorization$/i

/** By the name of a variable or an option. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

export interface SecretPlaces extends Pick<ModelSettings, 'providers'> {
  readonly mcp: Readonly<Record<string, McpServer>>
  readonly store: string
}

/** Everything in the file that nobody may see. */
export function findSecrets({ providers, mcp, store }: SecretPlaces): readonly string[] {
  const ofProviders = Object.values(providers).flatMap(({ apiKey, headers }) => [
    apiKey ?? '',
    ...findHeaderSecrets(headers ?? {}),
  ])
  const ofServers = Object.values(mcp).flatMap((server) =>
    'url' in server ? findHeaderSecrets(server.headers ?? {}) : findVariableSecrets(server.env),
  )
  const password = URL.parse(store)?.password ?? ''
  return [...ofProviders, ...ofServers, password].filter((secret) => secret !== '')
}

/** The last four characters at most, and only of what is long enough to be worth nothing without the rest. */
export function maskSecret(secret: string): string {
  return secret.length < 12 ? '…' : `…${secret.slice(-4)}`
}

/** A text that may hold a secret somewhere: an address, an argument. */
export function hideSecrets(text: string): string {
  return redactSecrets(text).replace(/(:\/\/[^\s/:@]{0,200}:)\S{1,500}(?=@)/g, '$1…')
}

function findVariableSecrets(variables: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(variables).flatMap(([name, value]) => (isSecretName(name) ? [value.trim()] : []))
}
