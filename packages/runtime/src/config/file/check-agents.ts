import { DEFAULT_PRESET, EngineError, PRESETS, isPresetName, isRecord, parsePolicy } from '@longhaul/engine/advanced'
import type { InputIssue, PresetName } from '@longhaul/engine/advanced'
import { AGENT_KEYS } from './aliases.ts'
import { describeUnknown } from './check-shape.ts'
import type { KeyProblem } from './check-shape.ts'
import type { Origins } from './gather-settings.ts'
import { keyOf, valueAt } from './key-path.ts'
import type { KeyPath } from './key-path.ts'

type Values = Readonly<Record<string, unknown>>

const DEFAULTS: KeyPath = ['agents', 'defaults']
const LIST: KeyPath = ['agents', 'list']

/** Every policy the file can lead to: that of all agents, and that of each one over it. */
export function checkAgents(content: unknown, origins: Origins): readonly KeyProblem[] {
  const preset = readPreset(valueAt(content, ['preset'])) ?? DEFAULT_PRESET
  const defaults = splitAgent(valueAt(content, DEFAULTS))
  const ofDefaults = [
    ...describeUnknownKeys(DEFAULTS, defaults.unknown, AGENT_KEYS),
    ...findPolicyProblems(preset, [defaults.policy]).map((issue) => toProblem(issue, DEFAULTS)),
  ]
  const shared = ofDefaults.length === 0 ? defaults.policy : {}
  const list = valueAt(content, LIST)
  const ofList = Object.entries(isRecord(list) ? list : {}).flatMap(([name, agent]) => {
    const place = [...LIST, name]
    const { policy, unknown } = splitAgent(agent)
    const own = readPreset(valueAt(agent, ['preset'])) ?? preset
    return [
      ...describeUnknownKeys(place, unknown, ['preset', ...AGENT_KEYS]),
      ...findPolicyProblems(own, [shared, policy]).map((issue) => toProblem(issue, placeOf(issue, place, origins))),
    ]
  })
  return [...ofDefaults, ...ofList]
}

function readPreset(value: unknown): PresetName | null {
  return typeof value === 'string' && isPresetName(value) ? value : null
}

/** What an agent has of a policy, and what nobody knows. Its other keys are not looked at here. */
export function splitAgent(agent: unknown): { readonly policy: Values; readonly unknown: readonly string[] } {
  const entries = Object.entries(isRecord(agent) ? agent : {})
  return {
    policy: Object.fromEntries(entries.filter(([key]) => Object.hasOwn(PRESETS[DEFAULT_PRESET], key))),
    unknown: entries.map(([key]) => key).filter((key) => key !== 'preset' && !AGENT_KEYS.includes(key)),
  }
}

function describeUnknownKeys(place: KeyPath, keys: readonly string[], known: readonly string[]): KeyProblem[] {
  return keys.map((key) => ({ path: [...place, key], message: describeUnknown(key, known) }))
}

function findPolicyProblems(preset: PresetName, patches: readonly Values[]): readonly InputIssue[] {
  try {
    parsePolicy(PRESETS[preset], ...patches)
    return []
  } catch (error) {
    if (error instanceof EngineError) return error.issues
    throw error
  }
}

function toProblem({ path, expected, got, suggestion }: InputIssue, place: KeyPath): KeyProblem {
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
  return { path: [...place, ...path.split('.')], message: `expected ${expected}, got ${got}${hint}` }
}

/** Values that do not hold together may come from both: the line to look at is where the one named was written. */
function placeOf({ path }: InputIssue, agent: KeyPath, origins: Origins): KeyPath {
  const isWritten = (place: KeyPath): boolean => origins.has(keyOf([...place, ...path.split('.')]))
  return !isWritten(agent) && isWritten(DEFAULTS) ? DEFAULTS : agent
}
