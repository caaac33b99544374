import type { CommandResult, JsonObject } from '@longhaul/runtime'

export type Tone = 'info' | 'good' | 'warning' | 'error'

/** One thing on the screen. A block that changes is replaced by another one: whoever draws it sees by that what is new. */
export type Block =
  | { readonly kind: 'user'; readonly id: string; readonly text: string }
  | { readonly kind: 'assistant'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly id: string
      readonly name: string
      readonly input: JsonObject
      /** null: it still runs, or waits to be allowed. */
      readonly output: string | null
      readonly isError: boolean
      readonly isTruncated: boolean
    }
  | { readonly kind: 'notice'; readonly tone: Tone; readonly text: string }
  | { readonly kind: 'result'; readonly result: CommandResult }
