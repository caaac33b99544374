import type { SummaryDocument, SummaryItem, SummarySection } from '../transcript/summary-document.ts'
import { type ApplyOptions, applyChanges } from './apply-changes.ts'
import { parseChanges } from './change-lines.ts'
import { pickSentences } from './facts/informative-sentences.ts'
import { redactSecrets } from './redact-secrets.ts'
import { withoutForgedSections } from './reply/forged-sections.ts'

/** Section of what older prose came down to. */
const EARLIER_TITLE = 'Earlier'
const MAX_PROSE_ITEMS = 3
const MAX_EARLIER_ITEMS = 12
const EARLIER_CHARS = 600

const SAYS_NOTHING =
  /^\W*(?:(?:there (?:are|is) )?(?:no|nothing)(?: new)?(?: changes?| updates?| to (?:change|add|update))?|none|unchanged|keine? änderung(?:en)?|aucune? (?:changement|modification)s?|sin cambios|无变化|无更改|没有(?:变化|更改)|変更なし)\W*$/iu

/** A model's reply as the next document: a list of changes is made, anything else is kept as prose. */
export function applyReply(document: SummaryDocument, reply: string, options: ApplyOptions): SummaryDocument {
  const honest = withoutForgedSections(reply)
  if (SAYS_NOTHING.test(honest)) return document
  const changes = parseChanges(honest)
  return changes.length > 0 ? applyChanges(document, changes, options) : addProse(document, honest, options)
}

/**
 * Prose becomes one more item without a heading; earlier prose stays beside it, for nobody knows whether the new text
 * tells it again. Of more than three, the oldest comes down to its most telling sentences, in their own words.
 */
export function addProse(document: SummaryDocument, prose: string, { sources }: ApplyOptions): SummaryDocument {
  const text = redactSecrets(prose.trim())
  const before = document.sections.filter(({ title }) => title === '').flatMap(({ items }) => items)
  if (text === '' || before.some((item) => item.text === text)) return document
  const item: SummaryItem = { id: freeId(document), text, sources: sources.map(({ id }) => id), status: 'open' }
  const all = [...before, item]
  const leaving = all.slice(0, Math.max(0, all.length - MAX_PROSE_ITEMS))
  const rest = document.sections.filter(({ title }) => title !== '' && title !== EARLIER_TITLE)
  const earlier = [
    ...document.sections.filter(({ title }) => title === EARLIER_TITLE).flatMap(({ items }) => items),
    ...leaving.flatMap(condense),
  ]
  const sections: readonly SummarySection[] = [
    ...(earlier.length === 0 ? [] : [{ title: EARLIER_TITLE, items: earlier.slice(-MAX_EARLIER_ITEMS) }]),
    { title: '', items: all.slice(leaving.length) },
    ...rest,
  ]
  return { ...document, sections }
}

function condense(item: SummaryItem): readonly SummaryItem[] {
  const picked = pickSentences(item.text, EARLIER_CHARS, 'assistant')
  return picked === null ? [] : [{ ...item, text: picked.text, status: 'done' }]
}

/** The id plain prose has, or the next one like it. */
function freeId({ sections }: SummaryDocument): string {
  const taken = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)))
  if (!taken.has('summary')) return 'summary'
  const numbers = [...taken].map((id) => Number(/^summary-(\d{1,9})$/.exec(id)?.[1] ?? 1))
  return `summary-${Math.max(...numbers) + 1}`
}
