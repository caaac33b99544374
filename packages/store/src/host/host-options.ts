import type { Ask, ContextOptions, MirrorCodec } from '@longhaul/engine'
import type { StoreChoice } from './choose-store.ts'

/** The parts of a host's description that may change from call to call. */
export interface HostCall {
  readonly windowTokens?: number | null | undefined
  /** The model's id, as `provider/model` where the host knows both. */
  readonly model?: string | undefined
  /** How a summary is asked for. Without it, summaries are made by code. */
  readonly ask?: Ask | undefined
}

/** The options that every host's package has. */
export interface HostOptions {
  /** Left out: as the host knows it; where nobody does, it is learned from the provider's first refusal. */
  readonly windowTokens?: number | null | undefined
  /** An SQLite file, a `postgres://` address or an open store. Left out: kept in memory. */
  readonly store?: StoreChoice | undefined
  /** A preset's name, or keys that are laid over a preset. Default: `longhaul`. */
  readonly policy?: ContextOptions['policy'] | undefined
  /** Writes the summaries. Default: the conversation's own model. */
  readonly ask?: Ask | undefined
  /** Called with what a person should know, each sentence once. Default: `console.warn`. */
  readonly warn?: ((message: string) => void) | undefined
}

export interface HostSessionOptions<M> extends HostCall, HostOptions {
  /** The host's short name, such as `pi`. The web app shows it. */
  readonly origin: string
  /** The host's own name for the conversation. */
  readonly sessionId: string
  readonly codec: MirrorCodec<M>
}
