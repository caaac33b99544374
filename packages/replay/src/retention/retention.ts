import type { RequestItem } from '../carriers/carrier.ts'
import { FACT_KINDS } from './facts/fact.ts'
import type { Fact, FactKind } from './facts/fact.ts'
import { foldText } from './fold-text.ts'
import { holdsFact, holdsWords, pieceOf } from './pieces.ts'
import type { Piece } from './pieces.ts'
import type { ReferenceBook } from './reference-book.ts'
import { countIn, createTally } from './tally.ts'
import type { OpenTally, Tally } from './tally.ts'
import type { Conversation } from '../conversation/conversation.ts'

/** What became of the facts of one kind. Two numbers that are never added up: what is there, and what a search would find. */
export interface KindRetention {
  /** Of all that was ever said, what the last request holds. */
  readonly endInContext: Tally
  /** Of what it does not hold and somebody referred back to: among the first hits of a blind search. */
  readonly endRecalled: Tally
  /** At each point where user or model refer back: what the request at that moment held. */
  readonly referredInContext: Tally
  readonly referredRecalled: Tally
}

export const TALLIES = ['endInContext', 'endRecalled', 'referredInContext', 'referredRecalled'] as const

/** A question that somebody who was there can answer. */
export interface Question {
  readonly question: string
  readonly answer: string
}

export interface RetentionResult {
  readonly kinds: Readonly<Record<FactKind, KindRetention>>
  /** null: no questions were given. */
  readonly questions: { readonly inContext: Tally; readonly recalled: Tally } | null
}

export interface RetentionMeasure {
  /** A request is about to be sent; `mentioning` are the new messages of the user and the answer it will get. */
  atRequest(mentioning: readonly number[], items: readonly RequestItem[]): void
  finish(items: readonly RequestItem[]): RetentionResult
}

interface RetentionOptions {
  readonly conversation: Conversation
  readonly book: ReferenceBook
  readonly questions: readonly Question[]
  /** How many hits of a search are read; null: nothing can be searched. */
  readonly recallHits: number | null
}

type OpenKind = Record<keyof KindRetention, OpenTally>

export function createRetentionMeasure({
  conversation,
  book,
  questions,
  recallHits,
}: RetentionOptions): RetentionMeasure {
  const kinds = Object.fromEntries(FACT_KINDS.map((kind) => [kind, createOpenKind()])) as Record<FactKind, OpenKind>

  const isRecalled = (fact: Fact, message: number, context: Context, hits: number): boolean => {
    const places = book.facts.get(fact)
    const unseen = book.findBlindly(message).filter((hit) => !context.isVerbatim(hit))
    return unseen.slice(0, hits).some((hit) => places?.has(hit) === true)
  }
  return {
    atRequest(mentioning, items) {
      let whole: Context | null = null
      for (const message of mentioning) {
        const facts = book.byMessage.get(message) ?? []
        if (facts.length === 0) continue
        whole ??= readContext(items)
        const context = whole.before(message)
        for (const fact of facts) {
          const { referredInContext, referredRecalled } = kinds[fact.kind]
          const isThere = context.holds(fact, book.facts.get(fact))
          countIn(referredInContext, isThere)
          if (!isThere && recallHits !== null) countIn(referredRecalled, isRecalled(fact, message, context, recallHits))
        }
      }
    },
    finish(items) {
      const context = readContext(items)
      for (const [fact, places] of book.facts) {
        const { endInContext, endRecalled } = kinds[fact.kind]
        const isThere = context.holds(fact, places)
        countIn(endInContext, isThere)
        const reference = book.lastReference.get(fact)
        if (isThere || reference === undefined || recallHits === null) continue
        countIn(endRecalled, isRecalled(fact, reference, context, recallHits))
      }
      return { kinds, questions: askQuestions(items) }
    },
  }

  function askQuestions(items: readonly RequestItem[]): RetentionResult['questions'] {
    if (questions.length === 0) return null
    const [inContext, recalled] = [createTally(), createTally()]
    const pieces = items.map(({ message }) => pieceOf(message.parts))
    for (const { question, answer } of questions) {
      const needle = foldText(answer)
      const isThere = holdsWords(pieces, needle, false)
      countIn(inContext, isThere)
      if (isThere || recallHits === null) continue
      const hits = book.find(question).slice(0, recallHits)
      const found = hits.map((hit) => pieceOf(conversation.messageAt(hit)?.parts ?? []))
      countIn(recalled, holdsWords(found, needle, false))
    }
    return { inContext, recalled }
  }
}

interface Context {
  isVerbatim(message: number): boolean
  /** `places`: the messages in which the fact stands. A message sent as it was holds what stands in it; the rest is read. */
  holds(fact: Fact, places: ReadonlySet<number> | undefined): boolean
  /** The same without that message and what follows it. */
  before(message: number): Context
}

function readContext(items: readonly RequestItem[], end = Number.POSITIVE_INFINITY): Context {
  const verbatim = new Set<number>()
  const shortened = new Map<number, Piece>()
  const beside: Piece[] = []
  for (const { index, state, message } of items) {
    if (index === null) beside.push(pieceOf(message.parts))
    else if (index >= end) continue
    else if (state === 'verbatim') verbatim.add(index)
    else shortened.set(index, pieceOf(message.parts))
  }
  return {
    isVerbatim: (message) => verbatim.has(message),
    holds(fact, places = new Set()) {
      for (const place of places) {
        if (verbatim.has(place)) return true
        const piece = shortened.get(place)
        if (piece !== undefined && holdsFact([piece], fact)) return true
      }
      return holdsFact(beside, fact)
    },
    before: (message) => readContext(items, message),
  }
}

function createOpenKind(): OpenKind {
  return Object.fromEntries(TALLIES.map((name) => [name, createTally()])) as OpenKind
}
