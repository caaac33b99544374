import { ONE_OF_GROUPS, PRESETS } from '@longhaul/engine/advanced'
import type { Config } from '../config/config.ts'
import { keyOf, valueAt } from '../config/file/key-path.ts'
import type { KeyPath } from '../config/file/key-path.ts'
import { createPolicyFor } from '../policy/create-policy-for.ts'
import { createFileRow, listValues } from './config-row.ts'
import type { ConfigRow } from './config-row.ts'

const DEFAULTS: KeyPath = ['agents', 'defaults']

/** The policy of sessions that say nothing else, key by key. */
export function explainPolicy(config: Config): readonly ConfigRow[] {
  const policy = createPolicyFor(config)({ agent: null, preset: null, policy: null })
  return listValues(policy, []).map(({ path, value }) => {
    const fromFile = createFileRow(config, [...DEFAULTS, ...path], value)
    return fromFile ?? explainInherited(config, path, value)
  })
}

function explainInherited(config: Config, path: KeyPath, value: unknown): ConfigRow {
  const { preset } = config
  const key = [...DEFAULTS, ...path].join('.')
  const inherited = valueAt(PRESETS[preset], path)
  if (JSON.stringify(inherited) === JSON.stringify(value)) return { key, value, source: `preset ${preset}` }
  const setter = findSetter(config, path.join('.'))
  const row = setter === null ? null : createFileRow(config, [...DEFAULTS, ...setter], value)
  // Left over: the rest of a group that the preset has off and the file has in part.
  if (row === null || setter === null) return { key, value, source: 'default' }
  return { key, value, source: row.source, note: `off, because ${setter.join('.')} is set` }
}

/** The one key of a group that the file sets: it switches the others off. */
function findSetter({ origins }: Config, key: string): KeyPath | null {
  const siblings = ONE_OF_GROUPS.find((names) => names.includes(key)) ?? []
  const paths = siblings.map((name) => name.split('.'))
  return paths.find((path) => origins.has(keyOf([...DEFAULTS, ...path]))) ?? null
}
