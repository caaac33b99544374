import type { Limits } from '../policy/limits.ts'
import type { PruningPolicy } from '../policy/policy.ts'
import type { Estimator } from '../tokens/estimate-message.ts'
import type { PruneDecision } from '../transcript/entry.ts'
import type { Item } from '../transcript/item.ts'

export interface PruningContext {
  /** What the next request would send, with the prune decisions in force. */
  readonly items: readonly Item[]
  readonly policy: PruningPolicy
  /** The first item is the first message of the session, not what a compaction kept. Taken for true. */
  readonly isFromStart?: boolean
}

export interface PruningInput extends PruningContext {
  readonly estimator: Estimator
  /** What the meter says about the next request; null is unknown. */
  readonly usedTokens: number | null
  readonly limits: Pick<Limits, 'windowTokens'> | null
  readonly now: number
  /** When the provider last answered: from then on its prompt cache ages. null: never. */
  readonly lastCallAt: number | null
  /** A compaction will come when the window fills up. Taken for false. */
  readonly isCompactionAhead?: boolean
}

/** What to send shorter from now on, and why. Decisions stand in the order of the conversation, one for each part. */
export interface PrunePlan {
  readonly reason: string
  readonly decisions: readonly PruneDecision[]
  readonly freedTokens: number
  readonly freedChars: number
}
