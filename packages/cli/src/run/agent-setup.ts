import type { ConfiguredUpstream } from '@longhaul/runtime'
import type { Variables } from '@longhaul/runtime/environment'

/** How a program is made to talk to the gateway. */
export interface AgentSetup {
  /** As it is typed. */
  readonly program: string
  /** How to get it, for somebody who does not have it. null: nobody knows. */
  readonly install: string | null
  /** Addresses that the program's own settings name, which the gateway calls in the program's place. */
  readonly upstreams: Readonly<Record<string, ConfiguredUpstream>>
  /** The words and variables with which it is started. `root`: the gateway's address, such as `http://127.0.0.1:4750/gateway`. */
  readonly connect: (root: string) => AgentConnection
}

interface AgentConnection {
  /** Stand before the user's own words, so that those have the last one. */
  readonly words: readonly string[]
  readonly variables: Variables
}

/** The upstream that a variable names; none where it is not set. */
export function upstreamFrom(
  name: 'anthropic' | 'openai',
  address: string | undefined,
): Readonly<Record<string, ConfiguredUpstream>> {
  return address === undefined || address === '' ? {} : { [name]: { type: name, baseURL: address } }
}

/** A variable that the user has set stays as it is. */
export function unlessSet(environment: Variables, wanted: Variables): Variables {
  const missing = Object.entries(wanted).filter(([name]) => (environment[name] ?? '') === '')
  return Object.fromEntries(missing)
}
