import type { Part, ToolCallPart, Usage } from '@longhaul/engine/advanced'
import type { ModelFailure } from './model-failure.ts'

export type ModelFinish = 'stop' | 'tool-calls' | 'length' | 'other'

/** What a call yields, in order. The last one is `finish` or `failure`, always, and a call never throws. */
export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** Once its arguments are complete. Arguments that are not a JSON object arrive as `{ "_raw": text }`. */
  | { readonly type: 'tool-call'; readonly call: ToolCallPart }
  | { readonly type: 'retry'; readonly attempt: number; readonly delayMs: number; readonly reason: string }
  | {
      readonly type: 'finish'
      readonly finish: ModelFinish
      /** The answer as it is to be stored, opaque provider data included. */
      readonly parts: readonly Part[]
      /** Of this call alone, with its cost where the price is known; null where the endpoint reported none. */
      readonly usage: Usage | null
      readonly timing: { readonly firstByteMs: number | null; readonly totalMs: number }
    }
  | {
      readonly type: 'failure'
      readonly failure: ModelFailure
      /** What had arrived. */
      readonly parts: readonly Part[]
      readonly usage: Usage | null
    }
