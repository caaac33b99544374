import type { FactKind, LedgerFact, MessageEntry } from '@longhaul/engine/advanced'
import { extractFacts, redactSecrets, scoreSentence, sliceHead, splitSentences } from '@longhaul/engine/advanced'
import { withoutOwnWords } from '../own-words.ts'
import { isQuestion } from '../reading/is-question.ts'

export type PointKind = 'goal' | 'decision' | 'state' | 'finding' | 'open'

/** One thing worth keeping, in the words it was said in. */
export interface Point {
  readonly kind: PointKind
  readonly text: string
  readonly score: number
  /** The message it comes from; larger is newer. */
  readonly order: number
}

/** How points that are asks begin: the one that nobody has answered yet, and others. */
export const ASKED_LAST = 'Asked last: '
export const ASKED = 'Asked: '

const MAX_POINT_CHARS = 320
const MAX_LISTED_CHARS = 400
/** A point loses this much over the length of the conversation: of two equal ones the newer is kept. */
const AGE_POINTS = 1
const MIN_SCORES = { user: 2, assistant: 2.5 } as const

/** How much facts of a kind count against sentences, which score up to about 5; null: they are not told one by one. */
const FACT_SCORES: Readonly<Record<FactKind, { readonly kind: PointKind; readonly score: number } | null>> = {
  'first-ask': { kind: 'goal', score: 7 },
  'latest-ask': { kind: 'open', score: 8 },
  instruction: { kind: 'goal', score: 6 },
  decision: { kind: 'decision', score: 5 },
  'open-work': { kind: 'open', score: 5 },
  failure: { kind: 'state', score: 2 },
  ask: { kind: 'goal', score: 1.5 },
  'file-changed': null,
  'file-read': null,
  command: null,
  url: null,
  id: null,
  figure: null,
}
const LISTED: readonly { readonly kind: FactKind; readonly title: string }[] = [
  { kind: 'file-changed', title: 'Files changed' },
  { kind: 'file-read', title: 'Files read or named' },
  { kind: 'command', title: 'Commands' },
  { kind: 'url', title: 'Addresses' },
  { kind: 'id', title: 'Ids' },
  { kind: 'figure', title: 'Figures' },
]

export interface CollectOptions {
  /** Also list files, commands, addresses, ids and figures: where nobody else keeps them. */
  readonly withNames: boolean
}

/** Instructions, decisions, reports, figures and what is open, out of messages. Each in its own words, none with a secret. */
export function collectPoints(entries: readonly MessageEntry[], { withNames }: CollectOptions): readonly Point[] {
  const facts = extractFacts(entries.map((entry) => ({ entry, message: entry, forms: null })))
  const told = [...facts.filter(({ kind }) => kind !== 'ask').flatMap(readFact), ...entries.flatMap(readSentences)]
  const toldOf = new Set(told.map(({ order }) => order))
  const points = [
    ...told,
    // Of a message that tells something, what it asks is mostly the same again.
    ...facts.filter(({ kind, lastSeq }) => kind === 'ask' && !toldOf.has(lastSeq)).flatMap(readFact),
    ...(withNames ? LISTED.flatMap(({ kind, title }) => listNames(facts, kind, title)) : []),
  ]
  const newest = points.reduce((most, { order }) => Math.max(most, order), 1)
  return points.map((point) => ({ ...point, score: point.score - AGE_POINTS * (1 - point.order / newest) }))
}

function readFact({ kind, text, note, lastSeq }: LedgerFact): readonly Point[] {
  const worth = FACT_SCORES[kind]
  const isSettled = note === 'answered' || note === 'no result' || note === 'todo: done'
  if (worth === null || (worth.kind === 'open' && isSettled)) return []
  const prefix = kind === 'latest-ask' ? ASKED_LAST : kind === 'ask' ? ASKED : ''
  return [{ ...worth, text: `${prefix}${shorten(text)}`, order: lastSeq }]
}

function readSentences({ role, parts, seq }: MessageEntry): readonly Point[] {
  if (role === 'tool') return []
  const by = role === 'user' ? 'user' : 'assistant'
  return parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .flatMap((text) => splitSentences(by === 'assistant' ? withoutOwnWords(text) : text))
    .flatMap((sentence) => {
      const text = shorten(sentence)
      const score = scoreSentence(text, by)
      if (isQuestion(sentence) || score < MIN_SCORES[by] || (by === 'assistant' && isFragment(text))) return []
      return [{ kind: by === 'user' ? 'finding' : 'state', text, score: by === 'user' ? score + 1 : score, order: seq }]
    })
}

/** A cell of a table, a label with its value: without what stands around it, nobody knows what it is about. */
function isFragment(text: string): boolean {
  return /^[|`]/.test(text) || !/\S+(?:\s+\S+){4}|[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{6}/.test(text)
}

/** Names in one line: each is short, and there are many. */
function listNames(facts: readonly LedgerFact[], kind: FactKind, title: string): readonly Point[] {
  const ranked = facts.filter((fact) => fact.kind === kind).toSorted((a, b) => b.lastSeq - a.lastSeq)
  const [newest] = ranked
  if (newest === undefined) return []
  let line = title
  for (const [index, { text }] of ranked.entries()) {
    const name = text.split('\n', 1)[0] ?? ''
    if (line.length + name.length > MAX_LISTED_CHARS) break
    line += `${index === 0 ? ': ' : ', '}${name}`
  }
  return line === title ? [] : [{ kind: 'finding', text: line, score: 4, order: newest.lastSeq }]
}

function shorten(text: string): string {
  const line = redactSecrets(text)
    .replaceAll(/\*\*|__/g, '')
    .replace(/^\s*(?:[-*+•>]|\d{1,3}[.)]|#{1,6})\s+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length <= MAX_POINT_CHARS ? line : `${sliceHead(line, MAX_POINT_CHARS)}…`
}
