import type { View } from '@longhaul/engine'
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

/** Right after so many compactions: how much of what they covered is in the context. */
export interface Snapshot {
  readonly kinds: ReadonlyMap<Kind, Tally>
  /** Of what the first one covered, all kinds together. */
  readonly firstCovered: Tally
}

export interface Measure extends Onlooker {
  /** By the number of compactions so far. */
  readonly snapshots: ReadonlyMap<number, Snapshot>
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
  return {
    snapshots,
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
      }
    },
  }
}
