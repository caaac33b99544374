import type { Message } from '@longhaul/engine/advanced'
import type { FactKind, Mention } from '../facts/mention.ts'
import { createFactTable, isHeld, isSameThing } from './fact-table.ts'
import type { FactState, Spot } from './fact-table.ts'
import { createSecondLook } from './second-look.ts'
import type { MentionReader, ReadSegment } from './mention-reader.ts'
import { watchFetches } from './watch-fetches.ts'
import type { Departure, FetchedAgain } from './watch-fetches.ts'
import type { WindowView } from './window-view.ts'

export interface FoundLoss {
  readonly fact: FactState
  readonly compaction: number
  readonly saidAt: Spot
  readonly neededAt: Spot
}

export interface FoundRefetch extends FetchedAgain {
  readonly at: Spot
}

export interface CompactionCounts {
  facts: number
  readonly byKind: Partial<Record<FactKind, number>>
  told: number
  needed: number
}

/** Goes through a session once, and tells of each fact when it left the window and whether somebody used it afterwards. */
export interface SessionFollower {
  /** The next message as it was said. */
  add(message: Message): void
  /** What the window holds from here on, and the compaction that made it so. */
  compactTo(view: WindowView, compaction: number): void
  /** The conversation begins anew: nothing that was said before is missed afterwards. */
  reset(): void
  /** Texts that each request holds beside the messages, such as the system prompt. */
  addHead(text: string): void
  readonly losses: readonly FoundLoss[]
  readonly refetches: readonly FoundRefetch[]
  countsOf(compaction: number): CompactionCounts
}

/** A fact that every fourth message names is a topic: the project's name, for one. */
const MAX_SHARE = 0.25
const MIN_TOPIC_MESSAGES = 20

/** A model names famous people and titles as it likes; they are needed where a person spoke of them. */
function isNeed({ kind, isPersons }: FactState): boolean {
  return isPersons || (kind !== 'name' && kind !== 'quote')
}

export function createFollower(reader: MentionReader): SessionFollower {
  const table = createFactTable()
  const look = createSecondLook()
  const heldBy: (ReadonlySet<FactState> | undefined)[] = []
  const departures = new Map<number, Departure>()
  const fetches = watchFetches((message) => departures.get(message) ?? null)
  const counts = new Map<number, CompactionCounts>()
  const losses: FoundLoss[] = []
  const refetches: FoundRefetch[] = []
  let inWindow = new Set<number>()
  let texts = new Map<string, ReadonlySet<FactState>>()
  let length = 0

  const isTopic = ({ saidIn }: FactState): boolean => saidIn >= MIN_TOPIC_MESSAGES && saidIn > length * MAX_SHARE
  const countsOf = (compaction: number): CompactionCounts => {
    const known = counts.get(compaction) ?? { facts: 0, byKind: {}, told: 0, needed: 0 }
    counts.set(compaction, known)
    return known
  }

  /** Somebody uses the thing: of what was told before this is a need, of what was not it is a loss. */
  function use(fact: FactState, mention: Mention, spot: Spot): void {
    const { lostAt, toldAt } = fact
    if (lostAt !== null && (fact.isRefetched || !isHeld(fact))) {
      fact.lostAt = null
      if (!isSameThing(fact, mention) || look.isKnown(fact)) return
      losses.push({ fact, compaction: lostAt, saidAt: fact.lastSaid, neededAt: spot })
      countsOf(lostAt).needed += 1
    } else if (toldAt !== null) {
      fact.toldAt = null
      countsOf(toldAt).needed += 1
    }
  }

  function readSegment(
    { segment, mentions }: ReadSegment,
    place: Omit<Spot, 'start'>,
    isRefetch: boolean,
    held: Set<FactState>,
  ): void {
    for (const mention of mentions) {
      const spot = { ...place, start: mention.start }
      const fact = table.findOrAdd(mention, spot)
      if (mention.isUse && segment.by === 'user') fact.isPersons = true
      if (mention.isUse && isNeed(fact)) use(fact, mention, spot)
      else if (fact.lostAt !== null && isRefetch) fact.isRefetched = true
      else if (fact.lostAt !== null && !fact.isRefetched) fact.lostAt = null
      if (mention.label !== null && mention.kind !== null) fact.labels.add(mention.label)
      if (fact.lostAt === null && mention.kind !== null) fact.lastSaid = spot
      held.add(fact)
    }
  }

  function add(message: Message): void {
    const number = length
    length += 1
    inWindow.add(number)
    for (const part of message.parts) if (part.type === 'tool-call') fetches.addCall(part, number)
    const held = new Set<FactState>()
    for (const [segment, read] of reader.read(message).entries()) {
      const { toolCallId, text } = read.segment
      const again = toolCallId === null ? null : fetches.addResult(toolCallId, text, number)
      if (again !== null) refetches.push({ ...again, at: { message: number, segment, start: 0 } })
      readSegment(read, { message: number, segment }, again !== null, held)
    }
    for (const fact of held) {
      fact.held += 1
      fact.saidIn += 1
    }
    heldBy[number] = held
    look.addMessage(number, message)
  }

  function readText(message: Message): ReadonlySet<FactState> {
    const held = new Set<FactState>()
    const spot = { message: length, segment: 0, start: 0 }
    for (const { mentions } of reader.readAnew(message)) {
      for (const mention of mentions) held.add(table.findOrAdd({ ...mention, kind: null }, spot))
    }
    return held
  }

  function compactTo(view: WindowView, compaction: number): void {
    const before = inWindow
    const left = [...before].filter((number) => !view.messages.has(number))
    const known = texts
    texts = new Map(view.texts.map(({ key, message }) => [key, known.get(key) ?? readText(message)]))
    // What comes in is counted first, so that nothing seems to be gone that is told in the same moment.
    for (const [key, held] of texts) if (!known.has(key)) for (const fact of held) fact.held += 1
    const gone = new Set<FactState>()
    const drop = (held: Iterable<FactState>): void => {
      for (const fact of held) {
        fact.held -= 1
        gone.add(fact)
      }
    }
    for (const [key, held] of known) if (!texts.has(key)) drop(held)
    for (const number of left) {
      drop(heldBy[number] ?? [])
      heldBy[number] = undefined
      departures.set(number, { compaction, before: length })
    }
    inWindow = new Set([...view.messages].filter((number) => before.has(number)))
    look.setView(inWindow, view.texts)
    countGone(gone, compaction)
  }

  function countGone(gone: Iterable<FactState>, compaction: number): void {
    const count = countsOf(compaction)
    for (const fact of gone) {
      if (fact.kind === null || isTopic(fact)) continue
      count.facts += 1
      count.byKind[fact.kind] = (count.byKind[fact.kind] ?? 0) + 1
      if (isHeld(fact)) {
        count.told += 1
        fact.toldAt = compaction
      } else {
        fact.lostAt = compaction
        fact.toldAt = null
        fact.isRefetched = false
      }
    }
  }

  return {
    add,
    compactTo,
    reset() {
      compactTo({ messages: new Set(), texts: [] }, Number.NaN)
      counts.delete(Number.NaN)
      departures.clear()
      fetches.forget()
      for (const fact of table.all()) Object.assign(fact, { lostAt: null, toldAt: null, isRefetched: false })
    },
    addHead(text) {
      const message: Message = { role: 'user', parts: [{ type: 'text', text }] }
      for (const fact of readText(message)) fact.held += 1
      look.addHead(text)
    },
    losses,
    refetches,
    countsOf,
  }
}
