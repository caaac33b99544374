import { randomBytes } from 'node:crypto'
import type { LogLine } from '@longhaul/agent'
import { createGateway } from '@longhaul/gateway'
import type { Gateway, GatewayOptions } from '@longhaul/gateway'
import { createRegistry, priceUsage } from '@longhaul/models/prices'
import type { Store } from '@longhaul/store'
import type { Config } from '../config/config.ts'

interface GatewayParts {
  readonly config: Config
  readonly store: Store
  readonly log: (line: LogLine) => void
}

/** The gateway as it is configured. It touches the store at its first call, not before. */
export function createConfiguredGateway({ config, store, log }: GatewayParts): Gateway {
  const { upstreams, preset } = config.gateway
  return createGateway({
    store,
    upstreams,
    // All servers that share the store share the key, and so they recognize the same conversations.
    secret: () => store.learned.keepKey(KEY_NAME, randomBytes(KEY_BYTES).toString('hex')),
    policy: { preset, ...config.agents.defaults.policy },
    ...createModelTable(config),
    log: (message) => log({ level: 'warn', event: 'gateway', message }),
  })
}

const KEY_NAME = 'gateway'
const KEY_BYTES = 32

/** A model is known by the name of its upstream, as any model is by the name of its provider; the configuration has the last word. */
function createModelTable({ gateway, models, providers }: Config): Pick<GatewayOptions, 'windowOf' | 'priceOf'> {
  const named = Object.entries(gateway.upstreams).map(([name, { type }]) => {
    const own = Object.hasOwn(providers, name) ? providers[name]?.models : undefined
    return [name, { type, models: own }] as const
  })
  const registry = createRegistry({ overrides: models, providers: Object.fromEntries(named) })
  return {
    windowOf(upstream, model) {
      const { maxInput, contextWindow } = registry.describe(`${upstream}/${model}`)
      return maxInput ?? contextWindow
    },
    priceOf: (upstream, model, usage) => priceUsage(registry.describe(`${upstream}/${model}`).price, usage),
  }
}
