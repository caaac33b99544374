import type { Message } from '@longhaul/engine/advanced'
import type { Mention } from '../facts/mention.ts'
import { createFactTable, isSameThing } from './fact-table.ts'
import type { FactState, FactTable, Spot } from './fact-table.ts'
import { createHeldWindow } from './held-window.ts'
import { createTally } from './loss-tally.ts'
import type { FoundLoss, LossTally } from './loss-tally.ts'
import { createSecondLook } from './second-look.ts'
import type { MentionReader } from './mention-reader.ts'
import { watchFetches } from './watch-fetches.ts'
import type { FetchedAgain } from './watch-fetches.ts'
import type { WindowView } from './window-view.ts'

interface FoundRefetch extends FetchedAgain {
  readonly at: Spot
}

/** Goes through a session once, and tells of each fact when it left the window and whether somebody used it afterwards. */
export interface SessionFollower {
  /** The next message as it was said. */
  add(message: Message): void
  /** Replaces the content of the window by `view`, which the compaction with this number made. */
  compactTo(view: WindowView, compaction: number): void
  /** The conversation begins anew: nothing that was said before is missed afterwards. */
  reset(): void
  /** Texts that each request holds beside the messages, such as the system prompt. */
  addHead(text: string): void
  readonly losses: readonly FoundLoss[]
  readonly refetches: readonly FoundRefetch[]
  countsOf(compaction: number): ReturnType<LossTally['countsOf']>
}

export function createFollower(reader: MentionReader): SessionFollower {
  const table = createFactTable()
  const look = createSecondLook()
  const readText = (message: Message): ReadonlySet<FactState> => readHeld(message, reader, table)
  const window = createHeldWindow(({ message }) => readText(message))
  const fetches = watchFetches((message) => window.departureOf(message))
  const tally = createTally()
  const refetches: FoundRefetch[] = []
  let length = 0

  function compactTo(view: WindowView, compaction: number): void {
    const gone = window.moveTo(view, { compaction, before: length })
    look.setView(window.messages, view.texts)
    for (const fact of gone) if (fact.kind !== null && !isTopic(fact, length)) tally.leave(fact, compaction)
  }
  return {
    add(message) {
      const number = length
      length += 1
      for (const part of message.parts) if (part.type === 'tool-call') fetches.addCall(part, number)
      const held = new Set<FactState>()
      for (const [segment, { segment: said, mentions }] of reader.read(message).entries()) {
        const again = said.toolCallId === null ? null : fetches.addResult(said.toolCallId, said.text, number)
        if (again !== null) refetches.push({ ...again, at: { message: number, segment, start: 0 } })
        for (const { mention, start, isUse } of mentions) {
          const spot = { message: number, segment, start }
          const fact = table.findOrAdd(mention, spot)
          if (isUse && said.by === 'user') fact.isPersons = true
          const isUsed = isUse && isNeed(fact) && isSameThing(fact, mention)
          if (isUsed) tally.use(fact, spot, () => !look.isKnown(fact))
          else comeBack(fact, again !== null)
          learn(fact, mention, spot)
          held.add(fact)
        }
      }
      for (const fact of held) fact.saidIn += 1
      window.add(number, held)
      look.addMessage(number, message)
    },
    compactTo,
    reset() {
      compactTo({ messages: new Set(), texts: [] }, Number.NaN)
      window.forgetDepartures()
      fetches.forget()
      for (const fact of table.all()) Object.assign(fact, { lostAt: null, toldAt: null, isRefetched: false })
    },
    addHead(text) {
      for (const fact of readText({ role: 'user', parts: [{ type: 'text', text }] })) fact.held += 1
      look.addHead(text)
    },
    losses: tally.losses,
    refetches,
    countsOf: (compaction) => tally.countsOf(compaction),
  }
}

/** A fact that every fourth message names is a topic: the project's name, for one. */
const MAX_SHARE = 0.25
const MIN_TOPIC_MESSAGES = 20

function isTopic({ saidIn }: FactState, messages: number): boolean {
  return saidIn >= MIN_TOPIC_MESSAGES && saidIn > messages * MAX_SHARE
}

/** A model names famous people and titles as it likes; they are needed where a person spoke of them. */
function isNeed({ kind, isPersons }: FactState): boolean {
  if (kind === null) return false
  return isPersons || (kind !== 'name' && kind !== 'quote')
}

/**
 * Something else than a use brings the thing back. Content that was fetched a second time does not excuse the compaction;
 * any other source does, such as a search, an error of the compiler, or code that the model writes itself.
 */
function comeBack(fact: FactState, isRefetch: boolean): void {
  if (fact.lostAt === null) return
  if (isRefetch) fact.isRefetched = true
  else fact.lostAt = null
}

/** More are no label but a list. */
const MAX_LABELS = 50

function learn(fact: FactState, { kind, label }: Mention, spot: Spot): void {
  if (kind === null && fact.kind === null) return
  const labels = label === null ? [] : kind === 'number' ? label.split(' ') : [label]
  if (labels.some((word) => !fact.labels.has(word)))
    fact.labels = new Set([...fact.labels, ...labels].slice(-MAX_LABELS))
  if (fact.lostAt === null) fact.lastSaid = spot
}

function readHeld(message: Message, reader: MentionReader, table: FactTable): ReadonlySet<FactState> {
  const nowhere: Spot = { message: 0, segment: 0, start: 0 }
  const mentions = reader.readAnew(message).flatMap((read) => read.mentions)
  return new Set(mentions.map(({ mention }) => table.findOrAdd({ ...mention, kind: null }, nowhere)))
}
