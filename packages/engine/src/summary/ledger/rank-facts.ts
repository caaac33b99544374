import type { FactKind, LedgerFact } from '../../transcript/summary-document.ts'
import { SAID_BY_RANK } from '../facts/fact-collector.ts'
import { splitFolder } from '../facts/command-folder.ts'
import { MENTIONED } from '../facts/file-facts.ts'
import { TODO_NOTE } from '../facts/open-work-facts.ts'

/** The order kinds stand in: what the user wants, what is under way, what was done, what else is known. */
export const KIND_ORDER = [
  'first-ask',
  'latest-ask',
  'instruction',
  'open-work',
  'file-changed',
  'ask',
  'decision',
  'failure',
  'command',
  'file-read',
  'url',
  'id',
  'figure',
] as const satisfies readonly FactKind[]

/** Points per step of `user over assistant over tool`. */
const SAID_POINTS = 2
/** Points per doubling of how often it came up, and lost per doubling of how long ago that was. */
const REPEAT_POINTS = 1
const AGE_POINTS: Readonly<Record<FactKind, number>> = {
  'first-ask': 0,
  'latest-ask': 0,
  instruction: 0.25,
  'open-work': 1,
  'file-changed': 0.5,
  ask: 0,
  decision: 0.5,
  failure: 1,
  command: 0.5,
  'file-read': 0.5,
  url: 0.5,
  id: 0.5,
  figure: 0.5,
}
/** Long commands are made for one occasion; short ones come back. */
const COMMAND_CHARS_PER_POINT = 100
/** Messages that count as one moment. */
const MOMENT = 16

/** A program showed it once, and nobody spoke of it: behind all that was said, done or came up again. Failures are always a program's words. */
export function isPrinted({ kind, by, count }: LedgerFact): boolean {
  return by === 'tool' && kind !== 'failure' && count < 2
}

/** Kinds in their order; within a kind what was printed once comes last, else the most useful first. The same facts always come in the same order. */
export function rankFacts(facts: readonly LedgerFact[]): readonly LedgerFact[] {
  const now = facts.reduce((newest, fact) => Math.max(newest, fact.lastSeq), 0)
  const scored = facts.map((fact) => ({
    fact,
    score: scoreFact(fact, now),
    place: PLACES[fact.kind],
    printed: Number(isPrinted(fact)),
  }))
  scored.sort(
    (a, b) =>
      a.place - b.place ||
      a.printed - b.printed ||
      b.score - a.score ||
      b.fact.lastSeq - a.fact.lastSeq ||
      (a.fact.text < b.fact.text ? -1 : a.fact.text > b.fact.text ? 1 : 0),
  )
  return scored.map(({ fact }) => fact)
}

const PLACES = Object.fromEntries(KIND_ORDER.map((kind, place) => [kind, place])) as Readonly<Record<FactKind, number>>

function scoreFact({ kind, text, by, count, lastSeq, note }: LedgerFact, now: number): number {
  // Read as a history, they stand by time alone.
  if (kind === 'ask') return lastSeq
  const age = Math.log2(1 + Math.max(0, now - lastSeq) / MOMENT)
  const said = SAID_BY_RANK[by] * SAID_POINTS
  return said + REPEAT_POINTS * Math.log2(1 + count) - AGE_POINTS[kind] * age + statePoints(kind, text, note)
}

/** Files only named stand behind opened ones, points ticked off behind open ones. */
function statePoints(kind: FactKind, text: string, note: string | undefined): number {
  if (kind === 'file-read') return note !== MENTIONED ? 2 : /^\.{1,2}\//.test(text) ? -1.5 : 0
  if (kind === 'command') return -splitFolder(text).command.length / COMMAND_CHARS_PER_POINT
  if (kind === 'open-work') return note === `${TODO_NOTE}: done` ? -8 : 0
  return 0
}
