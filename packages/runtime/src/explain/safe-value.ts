import type { KeyPath } from '../config/file/key-path.ts'
import { hideSecrets, isSecretName, maskSecret } from '../config/secrets.ts'

/** A value of the configuration as it may be shown. Headers and variables are masked whole: most of them are keys. */
export function toSafeValue(path: KeyPath, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element, index) => toSafeElement(value[index - 1], element))
  if (typeof value !== 'string') return value
  const group = path.at(-2) ?? ''
  return path.at(-1) === 'apiKey' || group === 'headers' || group === 'env' ? maskSecret(value) : hideSecrets(value)
}

/** Arguments of a command: `--token`, then the token. */
function toSafeElement(before: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const isNamed = typeof before === 'string' && before.startsWith('-') && isSecretName(before)
  return isNamed ? maskSecret(value) : hideSecrets(value)
}
