import type { Ask, ContextOptions, MirrorCodec } from '@longhaul/engine'
import type { StoreChoice } from './choose-store.ts'

/** The parts of a host's description that may change from call to call. */
export interface HostCall {
  readonly windowTokens?: number | null
  /** The model's id, as `provider/model` where the host knows both. */
  readonly model?: string
  /** How a summary is asked for. Without it, summaries are made by code. */
  readonly ask?: Ask
}

export interface HostSessionOptions<M> extends HostCall {
  /** The host's short name, such as `pi`. The web app shows it. */
  readonly origin: string
  /** The host's own name for the conversation. */
  readonly sessionId: string
  readonly codec: MirrorCodec<M>
  /** An SQLite file, a `postgres://` address or an open store. Without it, sessions live in memory. */
  readonly store?: StoreChoice | undefined
  readonly policy?: ContextOptions['policy']
  /** Called with what a person should know. Each sentence is said once. */
  readonly warn?: (message: string) => void
}
