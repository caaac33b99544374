import type { LogLine } from '@longhaul/agent'
import type { Gateway } from '@longhaul/gateway'
import type { Store } from '@longhaul/store'
import type { Config } from './config/config.ts'
import { createConfiguredGateway } from './wiring/create-configured-gateway.ts'
import { openStore } from './wiring/open-store.ts'
import { startRetention } from './wiring/start-retention.ts'

/** The gateway on its store, without models, tools or an agent of our own. */
export interface GatewayRuntime {
  readonly config: Config
  readonly store: Store
  readonly gateway: Gateway
  /** Gives the conversations back, then closes the store. */
  close(): Promise<void>
}

export interface GatewayRuntimeOptions {
  readonly log?: (line: LogLine) => void
  readonly now?: () => number
}

export async function createGatewayRuntime(
  config: Config,
  { log = () => undefined, now = Date.now }: GatewayRuntimeOptions = {},
): Promise<GatewayRuntime> {
  const store = await openStore(config)
  const gateway = createConfiguredGateway({ config, store, log })
  const retention = startRetention({ store, sessionsDays: config.limits.retentionDays, now, log })

  async function close(): Promise<void> {
    try {
      await Promise.allSettled([gateway.close(), retention.stop()])
    } finally {
      await store.close()
    }
  }
  let closed: Promise<void> | null = null
  return { config, store, gateway, close: () => (closed ??= close()) }
}
