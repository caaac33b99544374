import { DEFAULT_PRESET, PRESETS } from '@longhaul/engine/advanced'
import type { KeyPath } from './key-path.ts'

/** What an agent has besides a policy. */
const OWN_KEYS = ['model', 'systemPrompt'] as const

/** Every name that may stand under `agents.defaults`. */
export const AGENT_KEYS: readonly string[] = [...OWN_KEYS, ...Object.keys(PRESETS[DEFAULT_PRESET])]

interface OldName {
  readonly path: KeyPath
  /** A second key that must say the same for the value to mean what it meant there; one that is written itself wins. */
  readonly implies?: KeyPath
  readonly toValue?: (value: unknown) => unknown
}

/** Names of older systems, wherever a policy stands, and the keys that replace them. */
export const OLD_NAMES: Readonly<Record<string, OldName>> = {
  CompactionStrategy: { path: ['compaction', 'strategy'] },
  CompactionThresholdTokens: { path: ['compaction', 'triggerTokens'] },
  ProtectedTailMessages: { path: ['compaction', 'keepMessages'] },
  MaxConversationMessages: { path: ['compaction', 'maxMessages'] },
  MaxToolResultChars: { path: ['toolResults', 'maxChars'] },
  context_window: { path: ['contextTokens'] },
  // It compacted at exactly `context_window - reserve_tokens`: a floor above the value would move that.
  reserve_tokens: { path: ['compaction', 'reserveTokens'], implies: ['compaction', 'reserveTokensFloor'] },
  flush_threshold: { path: ['compaction', 'memoryFlush', 'softThresholdTokens'] },
  keep_recent_turns: { path: ['compaction', 'keepTurns'] },
  // It trimmed every result behind these turns: with `contextPruning.mode` "age" that is a number of its own.
  prune_keep_last_assistants: {
    path: ['contextPruning', 'keepLastAssistants'],
    implies: ['contextPruning', 'softTrimAfterTurns'],
  },
  prune_soft_trim_chars: { path: ['contextPruning', 'softTrim', 'maxChars'] },
  // It knew models of one vendor, without a provider in their names.
  compaction_model: {
    path: ['compaction', 'model'],
    toValue: (value) => (typeof value === 'string' && value.startsWith('claude-') ? `anthropic/${value}` : value),
  },
}

const DEFAULTS: KeyPath = ['agents', 'defaults']

/** A written key under its one name. */
export interface CanonicalKey {
  readonly path: KeyPath
  readonly implied: KeyPath | null
  readonly toValue: (value: unknown) => unknown
}

/** The one name of a key: `agent.…` and what stands at the top belong to `agents.defaults`, and old names get new ones. */
export function toCanonicalKey(path: KeyPath): CanonicalKey {
  const [root = '', ...rest] = path
  if (root === 'agent') return renameInside(DEFAULTS, rest)
  if (AGENT_KEYS.includes(root) || Object.hasOwn(OLD_NAMES, root)) return renameInside(DEFAULTS, path)
  if (root !== 'agents') return asWritten(path)
  const depth = rest[0] === 'list' ? 3 : 2
  return renameInside(path.slice(0, depth), path.slice(depth))
}

function renameInside(place: KeyPath, path: KeyPath): CanonicalKey {
  const [name = '', ...rest] = path
  // All agents share one preset unless they have their own; it stands at the top.
  if (name === 'preset' && place.join('.') === DEFAULTS.join('.')) return asWritten(path)
  const renamed = Object.hasOwn(OLD_NAMES, name) ? OLD_NAMES[name] : undefined
  if (renamed === undefined) return asWritten([...place, ...path])
  const { path: canonical, implies, toValue = (value) => value } = renamed
  const implied = implies === undefined ? null : [...place, ...implies, ...rest]
  return { path: [...place, ...canonical, ...rest], implied, toValue }
}

function asWritten(path: KeyPath): CanonicalKey {
  return { path, implied: null, toValue: (value) => value }
}
