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

/** The form in which the next request sends it. */
export function findForm({ forms }: Pick<Item, 'forms'>): 'verbatim' | PruneForm['form'] {
  if (forms === null) return 'verbatim'
  return [...forms.values()].some(({ form }) => form === 'cleared') ? 'cleared' : 'soft-trimmed'
}

export function createItem(entry: MessageEntry): Item {
  return { entry, message: entry, forms: null }
}
