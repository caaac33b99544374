import { PRESETS, findNearestName, isPresetName, lowerPolicy, parsePolicy } from '@longhaul/engine/advanced'
import type { ContextPolicy, JsonObject, PresetName } from '@longhaul/engine/advanced'
import type { SessionSettings } from '@longhaul/agent'
import type { AgentConfig, Config } from '../config/config.ts'
import { RuntimeError } from '../runtime-error.ts'
import { createCeilingsFor } from './ceilings.ts'

export type PolicyWish = Pick<SessionSettings, 'agent' | 'preset' | 'policy'>

/**
 * The policy of a session: its preset, then `agents.defaults`, then its agent, then its own words; each over what came
 * before. So another preset keeps every key that somebody set, and the session's words go no further than the owner's
 * ceilings. The same object for the same wish. Throws for a preset or an agent nobody knows, and for words that do not
 * hold.
 */
export function createPolicyFor(config: Pick<Config, 'preset' | 'agents'>): (wish: PolicyWish) => ContextPolicy {
  const { preset, agents } = config
  const ceilingsFor = createCeilingsFor(config)
  const bases = new Map<string, ContextPolicy>()
  const patched = new WeakMap<JsonObject, { readonly base: ContextPolicy; readonly policy: ContextPolicy }>()

  function baseOf(name: PresetName, agent: AgentConfig | null, key: string): ContextPolicy {
    const known = bases.get(key)
    if (known !== undefined) return known
    const base = parsePolicy(PRESETS[name], agents.defaults.policy, agent?.policy)
    bases.set(key, base)
    return base
  }

  return ({ agent, preset: wanted, policy: words }) => {
    const own = agent === null ? null : findAgent(agents.list, agent)
    const name = wanted === null ? (own?.preset ?? preset) : checkPreset(wanted)
    const base = baseOf(name, own, JSON.stringify([name, agent]))
    if (words === null) return base
    const known = patched.get(words)
    if (known?.base === base) return known.policy
    const policy = lowerPolicy(parsePolicy(base, words), ceilingsFor(agent))
    patched.set(words, { base, policy })
    return policy
  }
}

function findAgent(list: Config['agents']['list'], name: string): AgentConfig {
  const found = Object.hasOwn(list, name) ? list[name] : undefined
  if (found !== undefined) return found
  throw new RuntimeError('unknown-agent', `No agent is called "${name}"${describeChoice(name, Object.keys(list))}`)
}

function checkPreset(name: string): PresetName {
  if (isPresetName(name)) return name
  throw new RuntimeError('unknown-preset', `No preset is called "${name}"${describeChoice(name, Object.keys(PRESETS))}`)
}

function describeChoice(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known)
  if (nearest !== undefined) return `; did you mean ${nearest}?`
  return known.length === 0 ? '; none is configured under agents.list.' : `; there are ${known.join(', ')}.`
}
