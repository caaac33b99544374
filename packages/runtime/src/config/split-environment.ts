import { KEY_VARIABLES } from '@longhaul/models'
import type { Environment } from '@longhaul/models'
import { isPlainVariable } from './environment-names.ts'

export interface EnvironmentOptions {
  /** Secrets of the file: nothing that repeats one is passed on. */
  readonly secrets: readonly string[]
  /** Variables that commands may see besides the usual ones. Never keys of providers or our own. */
  readonly letThrough: readonly string[]
}

export interface SplitEnvironment {
  readonly providerKeys: Readonly<Record<string, string>>
  readonly commandEnvironment: Readonly<Record<string, string>>
}

/** Shorter ones would take ordinary values away. */
const MIN_SECRET_CHARS = 6

/** A model may run commands, and whatever a command sees, it can send away: so it sees what it needs and nothing else. */
export function splitEnvironment(environment: Environment, options: EnvironmentOptions): SplitEnvironment {
  const keyVariables = new Set(Object.values(KEY_VARIABLES))
  const set = Object.entries(environment).filter((entry): entry is [string, string] => (entry[1] ?? '').trim() !== '')
  const providerKeys = set.filter(([name]) => keyVariables.has(name)).map(([name, value]) => [name, value.trim()])
  const secrets = [...options.secrets, ...providerKeys.map(([, value]) => value ?? '')].filter(
    (secret) => secret.length >= MIN_SECRET_CHARS,
  )
  const isOurs = (name: string): boolean => keyVariables.has(name) || name.startsWith('LONGHAUL_')
  const passedOn = set.filter(
    ([name, value]) =>
      (isPlainVariable(name, value) || (options.letThrough.includes(name) && !isOurs(name))) &&
      !secrets.some((secret) => value.includes(secret)),
  )
  return {
    providerKeys: Object.fromEntries(providerKeys) as Record<string, string>,
    commandEnvironment: Object.fromEntries(passedOn),
  }
}
