import type { View } from '@longhaul/engine/advanced'
import {
  askNeedle,
  countIn,
  createPiece,
  createTally,
  foldText,
  holdsFact,
  holdsWords,
  personText,
  pieceOf,
} from '@longhaul/replay'
import type { Fact, Piece, Tally } from '@longhaul/replay'
import type { Conversation } from './conversation.ts'
import { createLeftFacts } from './left-facts.ts'
import type { Kind } from './left-facts.ts'
import { PIN_TEXTS } from './replay.ts'
import type { Onlooker } from './replay.ts'

/** Later compactions are not looked at. */
export const MAX_COMPACTIONS = 10
/** A share of fewer facts says nothing. */
const A_FEW_FACTS = 5

/** Facts of one kind, looked for again: the same ones right after they were covered and at a later time. */
interface Cohort {
  readonly facts: readonly Fact[]
  readonly first: Tally
  /** null: the conversation did not come to ten compactions. */
  readonly last: Tally | null
}

export interface Measure extends Onlooker {
  /** By the number of compactions so far: how much of what they covered is in the context right after. */
  readonly snapshots: ReadonlyMap<number, ReadonlyMap<Kind, Tally>>
  /** By kind, from the first compaction that had covered a few facts of it. */
  readonly cohorts: ReadonlyMap<Kind, Cohort>
  /** What user or model mention after it was covered: in the request before they do. */
  readonly needed: Tally
  /** In every request since messages began to be left out. */
  readonly pins: Tally
  readonly firstAsk: Tally
  readonly latestAsk: Tally
}

export function createMeasure({ messages, facts, system }: Conversation): Measure {
  const asks = messages.map((message) => personText(message)).map((text) => (text === null ? null : askNeedle(text)))
  const pinNeedles = PIN_TEXTS.map(foldText)
  const systemPiece = createPiece(system)
  const left = createLeftFacts(facts)
  const snapshots = new Map<number, ReadonlyMap<Kind, Tally>>()
  const cohorts = new Map<Kind, Cohort>()
  const [needed, pins, firstAsk, latestAsk] = [createTally(), createTally(), createTally(), createTally()]

  /** A request as text: the system prompt and every message that is sent. */
  const piecesOf = ({ items }: View): readonly Piece[] => [
    systemPiece,
    ...items.map(({ message }) => pieceOf(message.parts)),
  ]
  const takeSnapshot = (pieces: readonly Piece[], compactions: number): void => {
    const look = (among: readonly Fact[]): Tally => ({
      held: among.filter((fact) => holdsFact(pieces, fact)).length,
      of: among.length,
    })
    const kinds = new Map<Kind, Tally>()
    for (const [kind, found] of Map.groupBy(left.covered(), ([, each]) => each)) {
      const followed = found.map(([fact]) => fact)
      const tally = look(followed)
      kinds.set(kind, tally)
      if (!cohorts.has(kind) && followed.length >= A_FEW_FACTS)
        cohorts.set(kind, { facts: followed, first: tally, last: null })
    }
    snapshots.set(compactions, kinds)
    if (compactions !== MAX_COMPACTIONS) return
    for (const [kind, cohort] of cohorts) cohorts.set(kind, { ...cohort, last: look(cohort.facts) })
  }
  return {
    snapshots,
    cohorts,
    needed,
    pins,
    firstAsk,
    latestAsk,
    beforeMessage(index, view) {
      if (left.isEmpty()) return
      const pieces = piecesOf(view)
      for (const fact of left.takeNeeded(index)) countIn(needed, holdsFact(pieces, fact))
      if (messages[index]?.role !== 'assistant') return
      const before = asks.slice(0, index).filter((ask) => ask !== null)
      for (const needle of pinNeedles) countIn(pins, holdsWords(pieces, needle, false))
      const [first, latest] = [before[0], before.at(-1)]
      if (first !== undefined) countIn(firstAsk, holdsWords(pieces, first, true))
      if (latest !== undefined) countIn(latestAsk, holdsWords(pieces, latest, true))
    },
    afterMaintenance({ view, messages: count, sent, compactions }) {
      for (let index = 0; index < count; index += 1) if (!sent.has(index)) left.cover(index)
      for (let after = snapshots.size + 1; after <= Math.min(compactions, MAX_COMPACTIONS); after += 1)
        takeSnapshot(piecesOf(view), after)
    },
  }
}
