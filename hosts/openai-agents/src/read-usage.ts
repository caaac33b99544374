import type { Usage } from '@longhaul/engine'

/** A bill as the SDK's models give it, streamed or not. */
export interface Billed {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly inputTokensDetails?:
    | readonly Readonly<Record<string, number>>[]
    | Readonly<Record<string, number>>
    | undefined
}

/** null: the provider does not tell. */
export function readUsage({ inputTokens: input, outputTokens: output, inputTokensDetails = [] }: Billed): Usage | null {
  if (!(input > 0)) return null
  const details = [inputTokensDetails].flat()
  return { input, output, cacheRead: details.reduce((sum, { cached_tokens: cached = 0 }) => sum + cached, 0) }
}
