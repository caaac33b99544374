import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ContextOptions } from '@longhaul/engine'
import type { StoreChoice } from '@longhaul/store/host'

/** The second place of `["@longhaul/opencode", { … }]` in opencode's configuration. */
export interface LonghaulPluginOptions {
  /** An SQLite file or a `postgres://` address; null: kept in memory. Default: `longhaul.db` in opencode's data folder. */
  readonly store?: StoreChoice | null
  /** A preset's name, or keys that are laid over a preset. Default: `longhaul`. */
  readonly policy?: ContextOptions['policy']
  /** Writes the summaries: `provider/model` as opencode knows it, or `code`. Default: the conversation's own model. */
  readonly summaries?: string
}

/** The file beside opencode's own database. */
export function findDefaultStore(environment: NodeJS.ProcessEnv): string {
  const data = environment['XDG_DATA_HOME']
  return join(data === undefined || data === '' ? join(homedir(), '.local/share') : data, 'opencode', 'longhaul.db')
}
