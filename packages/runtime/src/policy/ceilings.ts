import { PRESETS, findWider, parsePolicy, readCeilings } from '@longhaul/engine/advanced'
import type { Ceilings, WiderWish } from '@longhaul/engine/advanced'
import type { SessionSettings } from '@longhaul/agent'
import type { Config } from '../config/config.ts'

/**
 * What the file sets is a ceiling for each key that the engine's table names: the agent's own word, else that of
 * `agents.defaults`. A preset's value is none. An agent that is not in the list has the ceilings of all.
 */
export function createCeilingsFor({
  preset,
  agents,
}: Pick<Config, 'preset' | 'agents'>): (agent: string | null) => Ceilings {
  const known = new Map<string | null, Ceilings>()
  return (agent) => {
    const own = agent !== null && Object.hasOwn(agents.list, agent) ? agents.list[agent] : undefined
    const name = own === undefined ? null : agent
    const found = known.get(name)
    if (found !== undefined) return found
    const patches = own === undefined ? [agents.defaults.policy] : [agents.defaults.policy, own.policy]
    const ceilings = readCeilings(parsePolicy(PRESETS[own?.preset ?? preset], ...patches), ...patches)
    known.set(name, ceilings)
    return ceilings
  }
}

/** Keys by which a session's own words ask for more than the file allows its agent. */
export function createFindWider(config: Pick<Config, 'preset' | 'agents'>): FindWider {
  const ceilingsFor = createCeilingsFor(config)
  return ({ agent, policy }) => (policy === null ? [] : findWider(policy, ceilingsFor(agent)))
}

export type FindWider = (wish: Pick<SessionSettings, 'agent' | 'policy'>) => readonly WiderWish[]
