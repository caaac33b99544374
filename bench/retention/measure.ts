import type { View } from '@longhaul/engine/advanced'
import { addTo, askNeedle, createTally, foldText, holdsFact, personText } from '@longhaul/replay'
import type { Fact, Tally } from '@longhaul/replay'
import type { Conversation } from './conversation.ts'
import { holdsText, readContext } from './context.ts'
import { createLeftFacts } from './left-facts.ts'
import type { Kind, Need } from './left-facts.ts'
import { PIN_TEXTS } from './pins.ts'
import type { Onlooker } from './replay.ts'

/** Later compactions are not looked at. */
export const MAX_COMPACTIONS = 10
/** A share of fewer facts says nothing. */
const A_FEW_FACTS = 5

/** Right after so many compactions: how much of what they covered is in the context. */
interface Snapshot {
  readonly kinds: ReadonlyMap<Kind, Tally>
  /** Of what the first one covered, all kinds together. */
  readonly firstCovered: Tally
}

/** Facts of one kind, looked for again: the same ones right after they were covered and at a later time. */
interface Cohort {
  readonly facts: readonly Fact[]
  readonly first: Tally
  /** null: the conversation did not come to ten compactions. */
  readonly last: Tally | null
}

export interface Measure extends Onlooker {
  /** By the number of compactions so far. */
  readonly snapshots: ReadonlyMap<number, Snapshot>
  /** By kind, from the first compaction that had covered a few facts of it. */
  readonly cohorts: ReadonlyMap<Kind, Cohort>
  readonly needs: readonly Need[]
  /** In every request since messages began to be left out. */
  readonly pins: Tally
  readonly firstAsk: Tally
  readonly latestAsk: Tally
}

export function createMeasure(conversation: Conversation): Measure {
  const { messages, facts, system } = conversation
  const asks = messages.map((message) => personText(message)).map((text) => (text === null ? null : askNeedle(text)))
  const pinNeedles = PIN_TEXTS.map(foldText)
  const left = createLeftFacts(facts)
  const snapshots = new Map<number, Snapshot>()
  const cohorts = new Map<Kind, Cohort>()
  const needs: Need[] = []
  const [pins, firstAsk, latestAsk] = [createTally(), createTally(), createTally()]
  let firstCovered: readonly Fact[] = []

  const takeSnapshot = (view: View): Snapshot => {
    const { kept, beside } = readContext(view, system)
    const isThere = (fact: Fact): boolean => holdsFact(beside, fact) || holdsFact(kept, fact)
    const kinds = new Map<Kind, Tally>()
    const first = createTally()
    for (const [fact, kind] of left.covered()) addTo(kinds, kind, isThere(fact))
    for (const fact of firstCovered) first.add(isThere(fact))
    return { kinds, firstCovered: first }
  }
  const followCohorts = (view: View, compactions: number): void => {
    const { kept, beside } = readContext(view, system)
    const tally = (followed: readonly Fact[]): Tally => ({
      held: followed.filter((fact) => holdsFact(beside, fact) || holdsFact(kept, fact)).length,
      of: followed.length,
    })
    for (const [kind, found] of Map.groupBy(left.covered(), ([, each]) => each)) {
      const followed = found.map(([fact]) => fact)
      if (!cohorts.has(kind) && followed.length >= A_FEW_FACTS)
        cohorts.set(kind, { facts: followed, first: tally(followed), last: null })
    }
    if (compactions !== MAX_COMPACTIONS) return
    for (const [kind, cohort] of cohorts) cohorts.set(kind, { ...cohort, last: tally(cohort.facts) })
  }
  return {
    snapshots,
    cohorts,
    needs,
    pins,
    firstAsk,
    latestAsk,
    beforeMessage(index, view) {
      if (left.isEmpty()) return
      const context = readContext(view, system)
      needs.push(...left.takeNeeds(index, context))
      if (messages[index]?.role !== 'assistant' || left.covered().size === 0) return
      const before = asks.slice(0, index).filter((ask) => ask !== null)
      for (const needle of pinNeedles) pins.add(holdsText(context, needle, false))
      const [first, latest] = [before[0], before.at(-1)]
      if (first !== undefined) firstAsk.add(holdsText(context, first, true))
      if (latest !== undefined) latestAsk.add(holdsText(context, latest, true))
    },
    afterMaintenance({ view, messages: count, sent, compactions }) {
      for (let index = 0; index < count; index += 1) {
        const item = sent.get(index)
        if (item === undefined) left.cover(index)
        else if (item.state !== 'verbatim') left.prune(index, item)
      }
      if (compactions === 0) return
      if (firstCovered.length === 0)
        firstCovered = [...left.covered()].flatMap(([fact, kind]) => (kind === 'shown' ? [] : [fact]))
      for (let after = snapshots.size + 1; after <= Math.min(compactions, MAX_COMPACTIONS); after += 1) {
        snapshots.set(after, takeSnapshot(view))
        followCohorts(view, after)
      }
    },
  }
}
