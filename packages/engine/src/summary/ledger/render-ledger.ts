import { groupBy } from '../../transcript/group-by.ts'
import { type Estimator, estimateField } from '../../tokens/estimate-message.ts'
import type { FactKind, LedgerFact } from '../../transcript/summary-document.ts'
import { ANSWERED } from '../facts/ask-facts.ts'
import { TODO_NOTE } from '../facts/open-work-facts.ts'
import { divideRoom } from './divide-room.ts'
import { renderLines } from './ledger-lines.ts'
import type { LedgerLines } from './line-options.ts'
import { KIND_ORDER, rankFacts } from './rank-facts.ts'
import { createTold } from './told.ts'

export interface LedgerRendering {
  readonly text: string
  readonly shown: number
  readonly leftOut: number
}

export interface LedgerOptions {
  readonly budgetTokens: number
  readonly estimator: Estimator
  /** Text that stands in the same context: a short fact it holds word for word is not said twice. */
  readonly besides?: string
}

/** The most of the budget that each of the kinds which come first may take (an answered ask half), and all of them together. */
const FIRST_SHARES: Readonly<Partial<Record<FactKind, number>>> = {
  'first-ask': 0.3,
  'latest-ask': 0.3,
  instruction: 0.25,
  'open-work': 0.1,
  'file-changed': 0.6,
}
const FIRST_SHARE = 0.8
const NOTICE_TOKENS = 24

/** The same ledger and budget always give the same bytes, and never more tokens than the budget. */
export function renderLedger(ledger: readonly LedgerFact[], options: LedgerOptions): LedgerRendering {
  const { budgetTokens, estimator, besides = '' } = options
  const facts = withoutDoubledAsk(rankFacts(ledger).filter((fact) => !isDone(fact)))
  let share = 1
  // Lines are estimated one by one and joined afterwards; where the sum differs, the budget shrinks until it fits.
  for (let round = 0; round < 8; round += 1) {
    const sections = fillSections(facts, besides, Math.floor(budgetTokens * share) - NOTICE_TOKENS, estimator)
    const shown = sections.reduce((sum, section) => sum + section.shown, 0)
    const leftOut = facts.length - shown
    const texts = sections.map(({ text }) => text).filter((text) => text !== '')
    const text = [...texts, ...(leftOut > 0 && texts.length > 0 ? [noticeOf(leftOut)] : [])].join('\n\n')
    if (estimateField(text, estimator) <= budgetTokens) return { text, shown, leftOut }
    share *= 0.9
  }
  return { text: '', shown: 0, leftOut: facts.length }
}

/** The smallest budget that shows asks and changed files whole. */
export function requiredTokens(ledger: readonly LedgerFact[], estimator: Estimator): number {
  const byKind = groupBy(withoutDoubledAsk(ledger), ({ kind }) => kind)
  const needs = REQUIRED.map((kind) => ({
    tokens: renderLines(byKind.get(kind) ?? [], createTold(), { budgetTokens: Infinity, estimator }).tokens,
    share: FIRST_SHARES[kind] ?? 1,
  }))
  const all = needs.reduce((sum, { tokens }) => sum + tokens, 0)
  return Math.ceil(Math.max(all / FIRST_SHARE, ...needs.map(({ tokens, share }) => tokens / share))) + NOTICE_TOKENS
}

const REQUIRED = ['first-ask', 'latest-ask', 'file-changed'] as const satisfies readonly FactKind[]

function noticeOf(leftOut: number): string {
  return `${leftOut} more ${leftOut === 1 ? 'fact is' : 'facts are'} not listed here; recall finds them.`
}

function fillSections(
  facts: readonly LedgerFact[],
  besides: string,
  budget: number,
  estimator: Estimator,
): readonly LedgerLines[] {
  const byKind = groupBy(facts, ({ kind }) => kind)
  const sections: LedgerLines[] = []
  const said = createTold(besides)
  let left = budget
  const fill = (kind: FactKind, tokens: number): void => {
    const lines = renderLines(byKind.get(kind) ?? [], said, { budgetTokens: tokens, estimator })
    sections.push(lines)
    said.add(lines.text)
    left -= lines.tokens
  }
  for (const kind of KIND_ORDER) {
    const share = FIRST_SHARES[kind]
    if (share === undefined) continue
    const isAnswered = kind === 'latest-ask' && byKind.get(kind)?.[0]?.note === ANSWERED
    fill(kind, Math.min(left - budget * (1 - FIRST_SHARE), budget * share * (isAnswered ? 0.5 : 1)))
  }
  const shares = divideRoom({ byKind, said, left, estimator })
  // What no kind needs for its facts is for their notes.
  let spare = shares.reduce((rest, [, tokens]) => rest - tokens, left)
  for (const [kind, tokens] of shares) {
    const before = left
    fill(kind, tokens + spare)
    spare += tokens - (before - left)
  }
  return sections
}

function isDone({ kind, note }: LedgerFact): boolean {
  return kind === 'open-work' && note === `${TODO_NOTE}: done`
}

/** Where the first ask is still the latest, it is said once, with its state; what both say is not listed once more. */
function withoutDoubledAsk(facts: readonly LedgerFact[]): readonly LedgerFact[] {
  const first = facts.find(({ kind }) => kind === 'first-ask')
  const latest = facts.find(({ kind }) => kind === 'latest-ask')
  return facts.filter(({ kind, text, lastSeq }) => {
    if (kind === 'ask') return lastSeq !== first?.lastSeq && lastSeq !== latest?.lastSeq
    return kind !== 'first-ask' || text !== latest?.text
  })
}
