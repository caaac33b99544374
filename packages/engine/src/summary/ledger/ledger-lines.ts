import { neutralize } from '../../messages/neutralize.ts'
import { shortenMiddle } from '../../messages/shorten.ts'
import { type Estimator, estimateField } from '../../tokens/estimate-message.ts'
import type { FactKind, LedgerFact } from '../../transcript/summary-document.ts'
import { ANSWERED } from '../facts/ask-facts.ts'
import { renderAddresses, renderCommands, renderFiles } from './grouped-lines.ts'
import { NO_LINES } from './line-options.ts'
import type { LedgerLines, LineOptions } from './line-options.ts'
import { renderFact } from './render-fact.ts'
import { createTold } from './told.ts'
import type { Told } from './told.ts'

const TITLES: Readonly<Record<FactKind, string>> = {
  'first-ask': 'First request, word for word',
  'latest-ask': 'Latest request, word for word',
  instruction: "Standing instructions, in the user's words",
  'open-work': 'Open work',
  'file-changed': 'Files changed',
  ask: 'Asked before, newest first',
  decision: 'Decisions',
  failure: 'Failures',
  command: 'Commands, each in the folder named above it (they went well unless it says otherwise)',
  'file-read': 'Files read or named',
  url: 'Addresses',
  id: 'Ids',
  figure: 'Figures',
}
/** Short facts stand in one line, the others below each other. */
const IN_LINE: ReadonlySet<FactKind> = new Set(['id', 'figure'])
/** Said elsewhere in the same context word for word, these need no line of their own. */
const REPEATABLE: ReadonlySet<FactKind> = new Set(['ask', 'file-read', 'url', 'id', 'figure'])

/**
 * By rank until the budget is used, each as short as it can be; what is left of the budget then adds notes, by rank again.
 * `said` is what the context holds already.
 */
export function renderLines(facts: readonly LedgerFact[], said: Told, options: LineOptions): LedgerLines {
  const { budgetTokens, estimator, isBare = false } = options
  const [first] = facts
  if (first === undefined) return NO_LINES
  if (first.kind === 'first-ask' || first.kind === 'latest-ask') return renderAsk(first, budgetTokens, estimator)
  const title = `## ${TITLES[first.kind]}`
  if (first.kind === 'file-changed') return renderFiles(facts, { title, ...options })
  if (first.kind === 'command') return renderCommands(facts, { title, ...options })
  const { unsaid, saidCount } = REPEATABLE.has(first.kind) ? withoutSaid(facts, said) : { unsaid: facts, saidCount: 0 }
  if (first.kind === 'file-read') {
    const files = renderFiles(unsaid, { title, ...options })
    return { ...files, shown: files.shown + saidCount }
  }
  if (first.kind === 'url') {
    const addresses = renderAddresses(unsaid, { title, ...options })
    return { ...addresses, shown: addresses.shown + saidCount }
  }
  const listed: string[] = []
  let tokens = estimateField(title, estimator) + 2
  const lines = unsaid.map((fact): Line => ({ short: renderFact(fact, false), full: renderFact(fact, true) }))
  let shown = saidCount
  for (const { short } of lines) {
    const cost = estimateField(short, estimator) + 1
    if (tokens + cost > budgetTokens) break
    tokens += cost
    shown += 1
    listed.push(short)
  }
  if (listed.length === 0) return { text: '', tokens: 0, shown }
  if (!isBare) tokens += addNotes(listed, lines, budgetTokens - tokens, estimator)
  const separator = IN_LINE.has(first.kind) ? '; ' : '\n'
  return { text: `${title}\n${neutralize([...new Set(listed)].join(separator))}`, tokens, shown }
}

interface Line {
  readonly short: string
  readonly full: string
}

/** Without the facts that the context, or a better-ranked fact of the same kind, says word for word. */
function withoutSaid(
  facts: readonly LedgerFact[],
  said: Told,
): { readonly unsaid: readonly LedgerFact[]; readonly saidCount: number } {
  const told = createTold()
  const unsaid = facts.filter((fact) => {
    if (said.holds(fact.text) || told.holds(fact.text)) return false
    told.add(renderFact(fact, false))
    return true
  })
  return { unsaid, saidCount: facts.length - unsaid.length }
}

function addNotes(listed: string[], lines: readonly Line[], budgetTokens: number, estimator: Estimator): number {
  let tokens = 0
  for (const [index, short] of listed.entries()) {
    const full = lines[index]?.full ?? short
    if (full === short) continue
    const cost = estimateField(full, estimator) - estimateField(short, estimator)
    if (tokens + cost > budgetTokens) break
    tokens += cost
    listed[index] = full
  }
  return tokens
}

/** Word for word as far as the budget goes; of a longer one head and tail, and the text says so. */
function renderAsk(ask: LedgerFact, budgetTokens: number, estimator: Estimator): LedgerLines {
  const title = `## ${TITLES[ask.kind]}${ask.note === ANSWERED ? ' (answered)' : ''}`
  let chars = ask.text.length
  for (let round = 0; round < 12; round += 1) {
    const words = shortenMiddle(ask.text, chars, Math.floor(chars * 0.65), Math.floor(chars * 0.25))
    const text = `${title}\n${neutralize(words)}`
    const tokens = estimateField(text, estimator) + 2
    if (tokens <= budgetTokens) return { text, tokens, shown: 1 }
    chars = Math.floor(chars * Math.min(0.8, budgetTokens / tokens))
  }
  return NO_LINES
}
