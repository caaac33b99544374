import type {
  BootstrapFile,
  CompactionStrategy,
  ContextPolicy,
  EnvironmentMeasure,
  JsonObject,
  WiderWish,
} from '@longhaul/engine/advanced'
import type { Models } from '@longhaul/models/port'
import type { Owner, Store } from '@longhaul/store/port'
import type { Tool } from '@longhaul/tools/port'

/** What a session was told to be; the rest follows from the configuration. */
export interface SessionSettings {
  readonly sessionId: string
  readonly agent: string | null
  readonly preset: string | null
  readonly policy: JsonObject | null
}

export interface Surroundings {
  readonly system: string | null
  /** Whole: they are cut to what policy and window allow. */
  readonly files: readonly BootstrapFile[]
  /** Where the texts lie with another program. */
  readonly measured?: EnvironmentMeasure
}

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  readonly message: string
  readonly [field: string]: unknown
}

export interface SpendLimits {
  /** For flushes, compactions, titles and heartbeats of one session; null: no limit. Past it, only what the window forces. */
  readonly maintenanceUsdPerDay: number | null
  /** For everything of one session. */
  readonly sessionUsd: number | null
}

/** Everything the agent needs from outside, wired by the runtime or by a program of your own. */
export interface AgentOptions {
  readonly store: Store
  readonly models: Models
  readonly owner: Owner
  /** Throws for settings that do not hold, with a message for whoever made them. */
  readonly policyFor: (settings: SessionSettings) => ContextPolicy
  /**
   * Keys by which the session's own words ask for more than the owner set. A client that asks for them is refused; where
   * they are stored already, `policyFor` has lowered them. Never throws. Default: the owner set nothing.
   */
  readonly findWider?: (settings: SessionSettings) => readonly WiderWish[]
  readonly toolsFor: (settings: SessionSettings, policy: ContextPolicy) => Promise<readonly Tool[]>
  /** Read at cold points only: any change breaks every prompt cache. */
  readonly surroundingsFor: (settings: SessionSettings, policy: ContextPolicy) => Promise<Surroundings>
  readonly defaultModelFor: (settings: SessionSettings) => string
  readonly strategies?: readonly CompactionStrategy[]
  readonly spend?: SpendLimits
  /** Rounds of tool calls in one turn. */
  readonly maxToolRounds?: number
  readonly toolTimeoutMs?: number
  readonly approvalTimeoutMs?: number
  /** An idle session is given back after this long. */
  readonly idleMs?: number
  readonly now?: () => number
  /** The date of the user's time zone as YYYY-MM-DD: it names the day's memory file. */
  readonly today?: () => string
  readonly createId?: () => string
  readonly log?: (line: LogLine) => void
}
