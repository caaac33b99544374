import type { AskModel, Usage, WindowSources } from '@longhaul/engine/advanced'
import type { Embedder } from './embedder.ts'
import type { ModelCall } from './model-call.ts'
import type { ModelEvent } from './model-event.ts'
import type { ModelInfo } from './model-info.ts'

/** The one door to models. Everybody who asks how big a window is, what a call costs or for an answer, asks here. */
export interface Models {
  /** The configured one, else the first vendor with a key, else the offline model. */
  readonly defaultModel: string
  list(): readonly ModelInfo[]
  /** Any id gets an answer: an unknown model is one whose limits are null. */
  describe(id: string): ModelInfo
  /** For the engine's `resolveWindow`; what endpoints taught is added by the caller, who keeps it. */
  windowOf(id: string): WindowSources
  /** null where the price is unknown. */
  price(id: string, usage: Usage): number | null
  /** Never throws and always ends in `finish` or `failure`. Leaving the loop early aborts the call. */
  stream(id: string, call: ModelCall, signal: AbortSignal): AsyncIterable<ModelEvent>
  /** For the engine's summaries: one call, no retries, not streamed to anybody. `session` stands for the given model. */
  asker(sessionModel: string): AskModel
  /** Any id gets one; whether it can be called shows when it is. */
  embedder(id: string): Embedder
}
