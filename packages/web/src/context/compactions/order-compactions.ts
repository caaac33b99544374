import type { Compaction } from '@longhaul/protocol'

export interface OrderedCompactions {
  /** Newest first. */
  readonly compactions: readonly Compaction[]
  /** The one in force, which can be taken back: undo is last in, first out; null: none is. */
  readonly newestId: string | null
}

export function orderCompactions(compactions: readonly Compaction[]): OrderedCompactions {
  const newestFirst = compactions.toSorted((first, second) => second.at - first.at)
  return { compactions: newestFirst, newestId: newestFirst.find(({ undone }) => !undone)?.id ?? null }
}
