import { join } from 'node:path'
import type { ContextOptions } from '@longhaul/engine'
import { isRecord } from '@longhaul/engine/advanced'
import type { OpenClawApi } from './openclaw-api.ts'

/** `plugins.entries.longhaul.config`, which OpenClaw has checked by the schema in `openclaw.plugin.json`. */
export interface LonghaulConfig {
  readonly store: string
  readonly policy?: ContextOptions['policy']
  /** Set if OpenClaw states another window than the model has. */
  readonly windowTokens?: number
}

/** Without a store of one's own, conversations lie in OpenClaw's state folder, as OpenClaw's own do. */
export function readConfig({ pluginConfig, runtime }: OpenClawApi): LonghaulConfig {
  const { store, policy, windowTokens } = isRecord(pluginConfig) ? pluginConfig : {}
  return {
    store: typeof store === 'string' && store !== '' ? store : join(runtime.state.resolveStateDir(), 'longhaul.db'),
    ...(policy === undefined ? {} : { policy: policy as NonNullable<LonghaulConfig['policy']> }),
    ...(typeof windowTokens === 'number' ? { windowTokens } : {}),
  }
}
