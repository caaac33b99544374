import { randomBytes } from 'node:crypto'
import type { LogLine } from '@longhaul/agent'
import { createGateway } from '@longhaul/gateway'
import type { Gateway } from '@longhaul/gateway'
import { createRegistry } from '@longhaul/models/prices'
import type { ModelOverride } from '@longhaul/models/prices'
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
    windowOf: createWindowTable(config),
    log: (message) => log({ level: 'warn', event: 'gateway', message }),
  })
}

const KEY_NAME = 'gateway'
const KEY_BYTES = 32

/** A model is known by the name of its upstream, as any model is by the name of its provider; the configuration has the last word. */
function createWindowTable({ gateway, models, providers }: Config): (upstream: string, model: string) => number | null {
  const named = Object.entries(gateway.upstreams).map(([name, { type }]) => {
    const own = Object.hasOwn(providers, name) ? providers[name]?.models : undefined
    return [name, { type, ...(own === undefined ? {} : { models: windowsIn(own) }) }] as const
  })
  const registry = createRegistry({ overrides: windowsIn(models), providers: Object.fromEntries(named) })
  return (upstream, model) => {
    const { maxInput, contextWindow } = registry.describe(`${upstream}/${model}`)
    return maxInput ?? contextWindow
  }
}

function windowsIn(
  models: Config['models'],
): Readonly<Record<string, Pick<ModelOverride, 'contextWindow' | 'maxInput'>>> {
  const windows = Object.entries(models).map(
    ([id, { contextWindow, maxInput }]) => [id, { contextWindow, maxInput }] as const,
  )
  return Object.fromEntries(windows)
}
