import type { ContextOptions, Usage } from '@longhaul/engine'
import type { Store } from '@longhaul/store/port'

/** A provider, or a server that speaks a provider's wire. */
export interface Upstream {
  readonly type: 'anthropic' | 'openai'
  /** As the vendor names it, with or without `/v1` at its end. */
  readonly baseURL: string
}

export interface GatewayOptions {
  /** Where conversations are kept. */
  readonly store: Store
  /** By the name in the path: `/gateway/NAME/…`. */
  readonly upstreams: Readonly<Record<string, Upstream>>
  /**
   * Keys what is stored of credentials and first messages. Keep it: with another one, clients that name no conversation
   * begin anew. A function is asked once, at the first call, and again only where it failed.
   */
  readonly secret: string | (() => Promise<string>)
  readonly policy?: ContextOptions['policy']
  /** The window of a model; null: nobody knows. Default: the table of known models. */
  readonly windowOf?: (upstream: string, model: string) => number | null
  /** The price of a call in US dollars; null: nobody knows. Default: the table of known models. */
  readonly priceOf?: (upstream: string, model: string, usage: Usage) => number | null
  /** The longest that a request waits for what is decided here; then it goes out as it came. Default: 30,000. */
  readonly deadlineMs?: number
  /** Called with one line at a time, which never holds content or credentials. */
  readonly log?: (line: string) => void
}

/** Sums over the life of a gateway, for a report at the end. */
export interface GatewayReport {
  /** Calls that a model answered or refused; other paths do not count. */
  readonly requests: number
  /** Requests that were sent smaller than they came. */
  readonly edited: number
  /** By estimate. */
  readonly tokensNotSent: number
  /** Requests that went through although the upstream would have refused, or had refused, what the client sent. */
  readonly refusalsAvoided: number
  /** Times that the upstream said no before it got less. */
  readonly refusalsUpstream: number
  /** Summaries that a model was asked for. */
  readonly summaries: SummaryCosts
}

/** The calls for summaries, in tokens and in US dollars. */
export interface SummaryCosts {
  readonly calls: number
  readonly input: number
  readonly output: number
  /** null: the price of at least one of them is not known. */
  readonly usd: number | null
}
