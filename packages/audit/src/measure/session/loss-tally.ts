import type { FactKind } from '../facts/mention.ts'
import { isHeld } from './fact-table.ts'
import type { FactState, Spot } from './fact-table.ts'

export interface FoundLoss {
  readonly fact: FactState
  readonly compaction: number
  readonly saidAt: Spot
  readonly neededAt: Spot
}

interface CompactionCounts {
  facts: number
  readonly byKind: Partial<Record<FactKind, number>>
  told: number
  needed: number
}

/** Counts for each compaction what it found, what is still told, what was needed, and collects what was lost. */
export interface LossTally {
  readonly losses: readonly FoundLoss[]
  countsOf(compaction: number): CompactionCounts
  /** A message or a summary with the fact left the window. */
  leave(fact: FactState, compaction: number): void
  /** Somebody uses the thing: of what is still told this is a need, of what is not it is a loss. */
  use(fact: FactState, spot: Spot, isMissed: () => boolean): void
}

export function createTally(): LossTally {
  const counts = new Map<number, CompactionCounts>()
  const losses: FoundLoss[] = []
  const countsOf = (compaction: number): CompactionCounts => {
    const known = counts.get(compaction) ?? { facts: 0, byKind: {}, told: 0, needed: 0 }
    counts.set(compaction, known)
    return known
  }
  return {
    losses,
    countsOf,
    leave(fact, compaction) {
      if (fact.kind === null) return
      const count = countsOf(compaction)
      count.facts += 1
      count.byKind[fact.kind] = (count.byKind[fact.kind] ?? 0) + 1
      if (isHeld(fact)) {
        count.told += 1
        fact.toldAt = compaction
      } else Object.assign(fact, { lostAt: compaction, toldAt: null, isRefetched: false })
    },
    use(fact, spot, isMissed) {
      const { lostAt, toldAt } = fact
      if (lostAt !== null && (fact.isRefetched || !isHeld(fact))) {
        const isLoss = isMissed()
        fact.lostAt = null
        countsOf(lostAt).needed += 1
        if (isLoss) losses.push({ fact, compaction: lostAt, saidAt: fact.lastSaid, neededAt: spot })
      } else if (toldAt !== null) {
        fact.toldAt = null
        countsOf(toldAt).needed += 1
      }
    },
  }
}
