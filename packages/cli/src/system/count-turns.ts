import type { SessionRecord, Store } from '@longhaul/runtime'

/** How many messages of the user came after the compaction that is in force; 0 without one. */
export async function countTurnsSinceCompaction(
  store: Pick<Store, 'entries'>,
  { id, head }: Pick<SessionRecord, 'id' | 'head'>,
): Promise<number> {
  const { entry } = head.base
  if (entry === null) return 0
  const later = await store.entries.read(id, { from: entry.seq + 1 })
  return later.filter((each) => each.type === 'message' && each.role === 'user').length
}
