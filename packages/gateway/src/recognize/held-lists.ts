import type { ClientList } from '../list/read-list.ts'
import type { Conversation } from './conversation.ts'

/** The newest lists of conversations, for comparing. A conversation that finds no room is read from its store when it goes on. */
export interface HeldLists {
  /** Newest first. */
  readonly lists: () => Iterable<ClientList>
  /** Keeps the list of a conversation, and lets go of the oldest others where there are too many. */
  readonly keep: (conversation: Conversation) => void
}

const MAX_LISTS = 512
/** Bodies of all conversations together. With what is read from them, three times as much memory is in use. */
const MAX_BYTES = 96 * 1024 * 1024

export function createHeldLists(): HeldLists {
  /** By the time of their last request, oldest first. */
  const holders = new Set<Conversation>()
  let bytes = 0
  const sizes = new Map<Conversation, number>()

  function take(conversation: Conversation): void {
    holders.delete(conversation)
    bytes -= sizes.get(conversation) ?? 0
    sizes.delete(conversation)
  }

  return {
    lists: () => [...holders].toReversed().flatMap(({ list }) => (list === null ? [] : [list])),
    keep(newest) {
      take(newest)
      const size = newest.list?.bytes.length ?? 0
      holders.add(newest)
      sizes.set(newest, size)
      bytes += size
      for (const oldest of holders) {
        if (bytes <= MAX_BYTES && holders.size <= MAX_LISTS) return
        // A request that is being prepared needs its list.
        if (oldest === newest || oldest.uses > 0) continue
        take(oldest)
        oldest.list = null
        oldest.last = null
        oldest.surroundings = null
        // Its mirror holds all messages too.
        void oldest.session.close().catch(() => undefined)
      }
    },
  }
}
