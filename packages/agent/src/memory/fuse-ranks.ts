import type { MemoryHit } from '@longhaul/store/port'

/** How little one place more or less counts: the usual value. */
const RANK_OFFSET = 60

/**
 * Reciprocal rank fusion: several answers to one question as one. Scores of different searches cannot be compared, places
 * can: whatever stands high in one list is high, and higher still if it does in others. Equals keep the order of the
 * earlier list.
 */
export function fuseRanks(lists: readonly (readonly MemoryHit[])[]): readonly MemoryHit[] {
  const fused = new Map<string, MemoryHit>()
  for (const list of lists) {
    for (const [index, hit] of list.entries()) {
      const key = JSON.stringify([hit.document, hit.line, hit.text])
      const score = (fused.get(key)?.score ?? 0) + 1 / (RANK_OFFSET + index + 1)
      fused.set(key, { ...hit, score })
    }
  }
  return [...fused.values()].toSorted((first, second) => second.score - first.score)
}
