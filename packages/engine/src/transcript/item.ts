import type { MessageEntry, PruneForm } from './entry.ts'
import type { Message } from './message.ts'

/** One stored message as the next request would send it. The rooms of the engine work on lists of these. */
export interface Item {
  readonly entry: MessageEntry
  /** The entry itself, or a copy whose pruned parts stand in their shorter form. */
  readonly message: Message
  /** Prune decisions in force, by part index; null where the message is verbatim. */
  readonly forms: ReadonlyMap<number, PruneForm> | null
}

export function createItem(entry: MessageEntry): Item {
  return { entry, message: entry, forms: null }
}
