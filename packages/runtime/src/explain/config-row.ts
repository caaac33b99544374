import { CEILING_KEYS, isRecord } from '@longhaul/engine/advanced'
import type { Config } from '../config/config.ts'
import { keyOf, showPath } from '../config/file/key-path.ts'
import type { KeyPath } from '../config/file/key-path.ts'

/** One effective value and who said it. Secrets are masked. */
export interface ConfigRow {
  /** Its one name, whatever it was written as. */
  readonly key: string
  readonly value: unknown
  /** `default`, `preset NAME`, `file PATH:LINE`, `environment NAME` or `option --NAME`. */
  readonly source: string
  readonly note?: string
  /** No session can go beyond this value. Missing: a default, which a session may change as it likes. */
  readonly isCeiling?: true
}

/** null: the file does not say it. */
export function createFileRow({ origins, places }: Config, path: KeyPath, value: unknown): ConfigRow | null {
  const origin = origins.get(keyOf(path))
  if (origin === undefined) return null
  const [key, written] = [showPath(path), showPath(origin.path)]
  const row = { key, value, source: `file ${places.configFile.value}:${origin.line}`, ...markCeiling(path) }
  return written === key ? row : { ...row, note: `written as ${written}` }
}

/** Groups that bound every session whether the file says something or not: no session has words for them. */
const BOUNDS = ['tools', 'limits']

/** For a row of the file, and for a default of a group that bounds every session. */
export function markCeiling([root = '', kind, ...rest]: KeyPath): Pick<ConfigRow, 'isCeiling'> {
  const policyKey = (kind === 'list' ? rest.slice(1) : rest).join('.')
  return BOUNDS.includes(root) || (root === 'agents' && CEILING_KEYS.has(policyKey)) ? { isCeiling: true } : {}
}

/** Every value in a group of groups; a list is one value, and so is an empty group. */
export function listValues(
  value: unknown,
  path: KeyPath,
): readonly { readonly path: KeyPath; readonly value: unknown }[] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [{ path, value }]
  return Object.entries(value).flatMap(([name, inner]) => listValues(inner, [...path, name]))
}
