import { estimateField } from '@longhaul/engine/advanced'
import type { MessageEntry } from '@longhaul/engine/advanced'
import { ASKED, ASKED_LAST, collectPoints } from './collect-points.ts'
import { fitPoints } from './fit-points.ts'
import { carryPoints } from './read-notes.ts'
import type { SummaryPrompt } from './read-summary-prompt.ts'
import { isNumbered, readTranscript } from './read-transcript.ts'
import { writeChanges } from './write-changes.ts'
import { writeProse } from './write-prose.ts'

/** What a summary takes where nobody says how long it may be. */
const USUAL_TOKENS = 900
/** A summary as long as what it is of would be refused. */
const MATERIAL_SHARE = 0.35
/** Estimates err, and a reply that is cut off is worth nothing. */
const OUTPUT_SHARE = 0.7
const TOKENS_PER_WORD = 1.3
const WORDS_SHARE = 0.9

/** The reply to a summary prompt, in the form it asks for, by choosing sentences. */
export function planSummary(prompt: SummaryPrompt, maxOutputTokens: number | null): string {
  const entries = readTranscript(prompt.transcript)
  const budgetTokens = Math.min(
    prompt.maxWords === null ? USUAL_TOKENS : prompt.maxWords * TOKENS_PER_WORD * WORDS_SHARE,
    (maxOutputTokens ?? Infinity) * OUTPUT_SHARE,
    estimateField([...prompt.earlier, prompt.transcript].join('\n'), 'classes') * MATERIAL_SHARE,
  )
  const text =
    prompt.form === 'changes'
      ? summariseAsChanges(prompt, entries, budgetTokens)
      : summariseAsProse(prompt, entries, budgetTokens)
  return `<summary>\n${text}\n</summary>`
}

/** A conversation in a few points, for somebody who asks for it. */
export function planRecap(entries: readonly MessageEntry[]): string {
  return writeProse(fitPoints(collectPoints(entries, { withNames: true }), USUAL_TOKENS / 2), entries.length)
}

function summariseAsProse({ earlier }: SummaryPrompt, entries: readonly MessageEntry[], budgetTokens: number): string {
  const isOpen = (text: string): boolean => !text.startsWith(ASKED_LAST) || !isAnswered(entries)
  const carried = carryPoints(earlier).filter(({ text }) => isOpen(text))
  const points = [...carried, ...collectPoints(entries, { withNames: true })]
  return writeProse(fitPoints(points, budgetTokens), entries.length)
}

function summariseAsChanges(
  { earlier, sections, transcript }: SummaryPrompt,
  entries: readonly MessageEntry[],
  budgetTokens: number,
): string {
  const notes = earlier.join('\n')
  const points = collectPoints(entries, { withNames: false }).filter(
    ({ kind, text }) => notes === '' || kind !== 'goal' || !text.startsWith(ASKED),
  )
  return writeChanges({
    points,
    notes,
    sections,
    budgetTokens,
    isAnswered: isAnswered(entries),
    isNumbered: isNumbered(transcript),
  })
}

/** What was asked before these messages was answered in them. */
function isAnswered(entries: readonly MessageEntry[]): boolean {
  return entries.some(({ role }) => role === 'assistant')
}
