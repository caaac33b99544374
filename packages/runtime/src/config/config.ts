import type { JsonObject, PresetName } from '@longhaul/engine/advanced'
import type { SpendLimits } from '@longhaul/agent'
import type { McpServer, SandboxSettings, ToolPermissions } from '@longhaul/tools'
import type { ModelSettings } from './file/check-models.ts'
import type { ConfiguredUpstream } from './file/check-upstreams.ts'
import type { Origins } from './file/gather-settings.ts'
import type { ConfigNote } from './file/read-config-file.ts'

/** The settings of one agent. A model or preset of null, and policy keys that are missing, follow from `agents.defaults`, then from the preset. */
export interface AgentConfig {
  readonly model: string | null
  readonly preset: PresetName | null
  /** null: the agent has no system prompt. Missing: that of `agents.defaults`, else the one that comes with Longhaul. */
  readonly systemPrompt?: string | null
  readonly policy: JsonObject
}

export interface ConfigLimits extends SpendLimits {
  /** Sessions without a new entry for this long are erased for good; null: never. */
  readonly retentionDays: number | null
}

interface ToolsConfig {
  readonly permissions: ToolPermissions
  /** Lets HTTP requests reach this machine and its network. */
  readonly allowPrivateAddresses: boolean
  /** What commands are run in. */
  readonly command: SandboxSettings
}

interface PostgresConfig {
  readonly schema?: string
  readonly listenUrl?: string
  readonly poolSize?: number
}

interface GatewayConfig {
  /** By the name that the paths of the gateway hold. */
  readonly upstreams: Readonly<Record<string, ConfiguredUpstream>>
  readonly preset: PresetName
}

/** A value and who said it: `default`, `option --data`, `environment LONGHAUL_DATA`, `file PATH:LINE`. */
export interface Sourced<T> {
  readonly value: T
  readonly source: string
}

/** Where everything lies; paths are absolute. */
export interface Places {
  readonly dataFolder: Sourced<string>
  readonly configFile: Sourced<string>
  /** `sqlite:FILE` or `postgres://…`. */
  readonly store: Sourced<string>
  readonly workspace: Sourced<string>
  /** null: the store alone, for servers that share no disk. */
  readonly memoryFolder: Sourced<string | null>
}

/** All that is configured, checked and complete. It holds secrets: show it by `explainConfig` alone. */
export interface Config extends ModelSettings {
  readonly places: Places
  /** Without one, everything is a default. */
  readonly hasFile: boolean
  /** What clients must present; null: nothing. */
  readonly token: string | null
  readonly postgres: PostgresConfig
  /** For an address of PostgreSQL without one; null: there is none. */
  readonly storePassword: string | null
  /** null: memory is searched by words alone. */
  readonly memory: { readonly embeddingModel: string | null }
  readonly tools: ToolsConfig
  readonly mcp: Readonly<Record<string, McpServer>>
  readonly server: { readonly allowedHosts: readonly string[]; readonly allowedOrigins: readonly string[] }
  readonly gateway: GatewayConfig
  /** Whether the web app may audit this machine's agents; null: where the server is for one person on this machine. */
  readonly audit: { readonly enabled: boolean | null }
  readonly limits: ConfigLimits
  readonly preset: PresetName
  readonly agents: { readonly defaults: AgentConfig; readonly list: Readonly<Record<string, AgentConfig>> }
  /** Keys of providers by the names of their variables. */
  readonly providerKeys: Readonly<Record<string, string>>
  /** All that commands see of the environment: no key and no token. */
  readonly commandEnvironment: Readonly<Record<string, string>>
  /** Where each key of the file stands. */
  readonly origins: Origins
  readonly notes: readonly ConfigNote[]
}
