import type { Usage } from '@longhaul/engine'
import type { Directory } from '../recognize/create-directory.ts'
import type { Upstream } from '../gateway-options.ts'
import type { UpstreamClient } from '../upstream/create-upstream-client.ts'
import type { Deadline } from './create-deadline.ts'
import type { Tally } from './create-tally.ts'

/** What every call of one gateway shares. */
export interface GatewayContext {
  readonly upstreams: Readonly<Record<string, Upstream>>
  readonly secret: () => Promise<string>
  readonly windowOf: (upstream: string, model: string) => number | null
  readonly priceOf: (upstream: string, model: string, usage: Usage) => number | null
  readonly directory: Directory
  readonly client: UpstreamClient
  readonly tally: Tally
  readonly deadline: Deadline
  readonly log: (line: string) => void
}
