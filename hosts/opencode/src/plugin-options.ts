import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ContextOptions } from '@longhaul/engine'
import type { StoreChoice } from '@longhaul/store/host'

/** The second place of `["@longhaul/opencode", { … }]` in opencode's configuration. */
export interface LonghaulPluginOptions {
  /** An SQLite file or a `postgres://` address; null: kept in memory. Default: `LONGHAUL_STORE`, else `longhaul.db` in opencode's data folder. */
  readonly store?: StoreChoice | null
  /** A preset's name, or keys that are laid over a preset. Default: `longhaul`. */
  readonly policy?: ContextOptions['policy']
  /** Writes the summaries: `provider/model` as opencode knows it, or `code`. Default: the conversation's own model. */
  readonly summaries?: string
}

/** The store that this user's Longhaul has everywhere, or a file beside opencode's own database. */
export function findDefaultStore({ LONGHAUL_STORE, XDG_DATA_HOME }: NodeJS.ProcessEnv): string {
  if (LONGHAUL_STORE !== undefined && LONGHAUL_STORE.trim() !== '') return LONGHAUL_STORE
  const data = XDG_DATA_HOME === undefined || XDG_DATA_HOME === '' ? join(homedir(), '.local/share') : XDG_DATA_HOME
  return join(data, 'opencode', 'longhaul.db')
}
