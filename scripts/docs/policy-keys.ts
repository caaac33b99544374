import { CEILING_KEYS } from '../../packages/engine/src/policy/ceilings.ts'
import { POLICY_KEYS } from '../../packages/engine/src/policy/policy-keys.ts'
import { PRESETS } from '../../packages/engine/src/policy/presets.ts'
import { duration } from '../../packages/engine/src/policy/value-kinds.ts'
import type { GroupKeys, ValueKind } from '../../packages/engine/src/policy/value-kinds.ts'
import { MEANINGS } from './key-meanings.ts'
import { renderTable } from './markdown-table.ts'

interface Key {
  readonly path: string
  readonly kind: ValueKind<unknown>
}

/** One section for each group of keys: what they take and mean, then their value in every preset. */
export function renderPolicyKeys(): string {
  const keys = listKeys(POLICY_KEYS, '')
  checkMeanings(keys)
  return [...Map.groupBy(keys, sectionOf)].map(([title, own]) => renderSection(title, own)).join('\n\n')
}

function listKeys(group: GroupKeys, path: string): readonly Key[] {
  return Object.entries(group).flatMap(([name, kind]) => {
    const own = `${path}${name}`
    return kind.group === undefined ? [{ path: own, kind }] : listKeys(kind.group, `${own}.`)
  })
}

function sectionOf({ path }: Key): string {
  if (path.startsWith('compaction.memoryFlush.')) return 'compaction.memoryFlush'
  return path.startsWith('compaction.') || path.startsWith('contextPruning.') ? path.slice(0, path.indexOf('.')) : ''
}

function renderSection(title: string, keys: readonly Key[]): string {
  const nameOf = ({ path }: Key): string => `\`${title === '' ? path : path.slice(title.length + 1)}\``
  const meanings = keys.map((key) => [nameOf(key), key.kind.expected, describeMeaning(key)])
  const values = keys.map((key) => [nameOf(key), ...Object.values(PRESETS).map((policy) => describeValue(policy, key))])
  return [
    `## ${title === '' ? 'Window, files and tool results' : `\`${title}\``}`,
    renderTable(['key', 'takes', 'means'], meanings),
    renderTable(['key', ...Object.keys(PRESETS).map((name) => `\`${name}\``)], values),
  ].join('\n\n')
}

function describeMeaning({ path }: Key): string {
  const wider = CEILING_KEYS.get(path)
  return `${MEANINGS[path] ?? ''}${wider === undefined ? '' : ` **Ceiling** once the owner sets it; wider is ${wider}.`}`
}

/** The value at a path; a group that is off has it for all of its keys. */
function describeValue(policy: unknown, { path, kind }: Key): string {
  let value = policy
  for (const name of path.split('.')) value = value === null ? null : (value as Record<string, unknown>)[name]
  if (value === null) return 'off'
  if (typeof value === 'number' && kind.expected.startsWith(duration.expected)) return describeDuration(value)
  return typeof value === 'string' ? `\`${value}\`` : JSON.stringify(value)
}

function describeDuration(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1_000}s`
}

function checkMeanings(keys: readonly Key[]): void {
  const paths = keys.map(({ path }) => path)
  const missing = paths.filter((path) => MEANINGS[path] === undefined)
  const gone = Object.keys(MEANINGS).filter((path) => !paths.includes(path))
  if (missing.length + gone.length === 0) return
  throw new Error(
    `key-meanings.ts lacks ${missing.join(', ') || 'nothing'} and has ${gone.join(', ') || 'nothing'} too many`,
  )
}
