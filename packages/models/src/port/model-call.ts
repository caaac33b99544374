import type { SealedRequest } from '@longhaul/engine/advanced'

/** How long to wait. A stream that goes on sending is never cut by the first two. */
export interface Timeouts {
  readonly firstByteMs: number
  /** Between two pieces of a stream. */
  readonly idleMs: number
  readonly totalMs: number
}

/** One request to one model: one step of a turn. What it holds was sealed by the engine and is sent as it is. */
export interface ModelCall {
  readonly request: Pick<SealedRequest, 'system' | 'messages' | 'tools'>
  readonly maxOutputTokens: number
  readonly temperature?: number
  /** Whether the endpoint streams its answer. Default true; otherwise the events come together, once all of it is there. */
  readonly stream?: boolean
  readonly toolChoice?: 'auto' | 'none' | 'required'
  /** How many leading messages will be sent the same way again: prompt caches are asked to end there. Default: all but the newest. */
  readonly stableMessages?: number
  /** Names what shares a prefix, a session for one: endpoints that spread requests over machines look for the cache by it. */
  readonly cacheKey?: string
  /** What the caller measured. With it a prompt that the endpoint silently cut is recognised. */
  readonly expectedInputTokens?: number | null
  /** The window the caller reckons with; usage above it is an overflow, even where the endpoint says nothing. */
  readonly windowTokens?: number | null
  readonly timeouts?: Partial<Timeouts>
  /** After throttling, server errors and lost connections before the first byte. Default 3; 0 for summaries. */
  readonly maxRetries?: number
}
