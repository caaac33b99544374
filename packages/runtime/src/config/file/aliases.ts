import { DEFAULT_PRESET, PRESETS } from '@longhaul/engine'
import type { KeyPath } from './key-path.ts'

/** What an agent has besides a policy. */
const OWN_KEYS = ['model', 'systemPrompt'] as const

/** Every name that may stand under `agents.defaults`. */
export const AGENT_KEYS: readonly string[] = [...OWN_KEYS, ...Object.keys(PRESETS[DEFAULT_PRESET])]

/** Names of an older system, wherever a policy stands, and what they are called now. */
export const OLD_NAMES: Readonly<Record<string, KeyPath>> = {
  CompactionStrategy: ['compaction', 'strategy'],
  CompactionThresholdTokens: ['compaction', 'triggerTokens'],
  ProtectedTailMessages: ['compaction', 'keepMessages'],
  MaxConversationMessages: ['compaction', 'maxMessages'],
  MaxToolResultChars: ['toolResults', 'maxChars'],
}

const DEFAULTS: KeyPath = ['agents', 'defaults']

/** The one name of a key: `agent.…` and what stands at the top belong to `agents.defaults`, and old names get new ones. */
export function toCanonicalPath(path: KeyPath): KeyPath {
  const [root = '', ...rest] = path
  if (root === 'agent') return renameInside(DEFAULTS, rest)
  if (AGENT_KEYS.includes(root) || Object.hasOwn(OLD_NAMES, root)) return renameInside(DEFAULTS, path)
  if (root !== 'agents') return path
  const depth = rest[0] === 'list' ? 3 : 2
  return renameInside(path.slice(0, depth), path.slice(depth))
}

function renameInside(place: KeyPath, path: KeyPath): KeyPath {
  const [name = '', ...rest] = path
  // All agents share one preset unless they have their own; it stands at the top.
  if (name === 'preset' && place.join('.') === DEFAULTS.join('.')) return path
  const renamed = Object.hasOwn(OLD_NAMES, name) ? OLD_NAMES[name] : undefined
  return renamed === undefined ? [...place, ...path] : [...place, ...renamed, ...rest]
}
