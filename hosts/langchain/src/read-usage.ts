import type { UsageMetadata } from '@langchain/core/messages'
import type { Usage } from '@longhaul/engine'

/** A message that may say what it cost. */
export interface Billed {
  readonly usage_metadata?: UsageMetadata | undefined
}

/** The bill of an answer; null: its model does not tell. */
export function readUsage({ usage_metadata: usage }: Billed): Usage | null {
  if (usage === undefined || !(usage.input_tokens > 0)) return null
  const { input_tokens: input, output_tokens: output, input_token_details: details } = usage
  return { input, output, cacheRead: details?.cache_read ?? 0, cacheWrite: details?.cache_creation ?? 0 }
}
