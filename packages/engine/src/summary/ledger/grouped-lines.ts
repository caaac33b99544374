import { neutralize, neutralizeLine } from '../../messages/neutralize.ts'
import { estimateField } from '../../tokens/estimate-message.ts'
import type { LedgerFact } from '../../transcript/summary-document.ts'
import { splitFolder } from '../facts/command-folder.ts'
import { NO_LINES } from './line-options.ts'
import type { LedgerLines, LineOptions } from './line-options.ts'
import { renderFact } from './render-fact.ts'

interface GroupedOptions extends LineOptions {
  readonly title: string
}

/** Files by folder, each folder said once: as many as the budget holds, by rank. */
export function renderFiles(facts: readonly LedgerFact[], options: GroupedOptions): LedgerLines {
  return renderMost(facts, options, (shown) =>
    groupBy(shown, splitPath).map(([folder, names]) => {
      if (names.length === 1) return `${folder}${names[0]}`
      return folder === '' ? names.join(', ') : `${folder}: ${names.join(', ')}`
    }),
  )
}

/** Addresses by where they came from: a page's own links must not pass for what the user gave. */
export function renderAddresses(facts: readonly LedgerFact[], options: GroupedOptions): LedgerLines {
  return renderMost(facts, options, (shown) =>
    groupBy(shown, (fact) => [originOf(fact), fact.text]).map(
      ([origin, addresses]) => `${origin}: ${addresses.join(' ')}`,
    ),
  )
}

/** A fact that was stored before its tool was noted only says that it was one. */
function originOf({ by, note }: LedgerFact): string {
  return by === 'tool' ? neutralizeLine(note ?? 'tool') : by
}

/** Commands by the folder they ran in. What is left of the budget adds what is known of them, by rank again. */
export function renderCommands(facts: readonly LedgerFact[], options: GroupedOptions): LedgerLines {
  const lines = (withNotes: number) => (shown: readonly LedgerFact[]) => {
    const noted = new Set(shown.slice(0, withNotes))
    return groupBy(shown, (fact) => {
      const { folder, command } = splitFolder(fact.text)
      return [folder, renderFact({ ...fact, text: command }, noted.has(fact))]
    }).flatMap(([folder, commands]) => (folder === '' ? commands : [`cd ${folder} &&`, ...commands]))
  }
  const short = renderMost(facts, options, lines(0))
  if (options.isBare === true) return short
  const shown = facts.slice(0, short.shown)
  const render = (withNotes: number): LedgerLines => createLines(options, lines(withNotes)(shown), shown.length)
  const noted = most((count) => render(count).tokens <= options.budgetTokens, shown.length)
  return noted === 0 ? short : render(noted)
}

function renderMost(
  facts: readonly LedgerFact[],
  options: GroupedOptions,
  linesOf: (shown: readonly LedgerFact[]) => readonly string[],
): LedgerLines {
  const render = (count: number): LedgerLines => createLines(options, linesOf(facts.slice(0, count)), count)
  const count = most((each) => render(each).tokens <= options.budgetTokens, facts.length)
  return count === 0 ? NO_LINES : render(count)
}

function createLines({ title, estimator }: GroupedOptions, lines: readonly string[], shown: number): LedgerLines {
  const text = `${title}\n${neutralize([...new Set(lines)].join('\n'))}`
  return { text, tokens: estimateField(text, estimator) + 2, shown }
}

/** The largest count up to the given one that fits; fewer always fit too. */
function most(fits: (count: number) => boolean, count: number): number {
  if (fits(count)) return count
  let [low, high] = [0, count]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function splitPath(fact: LedgerFact): readonly [string, string] {
  const end = Math.max(fact.text.lastIndexOf('/'), fact.text.lastIndexOf('\\')) + 1
  return [fact.text.slice(0, end), renderFact({ ...fact, text: fact.text.slice(end) }, false)]
}

/** Groups in the order of their best-ranked fact; those without a name first, so that no other seems to hold them. */
function groupBy(
  facts: readonly LedgerFact[],
  split: (fact: LedgerFact) => readonly [string, string],
): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>([['', []]])
  for (const fact of facts) {
    const [name, text] = split(fact)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [text])
    else group.push(text)
  }
  return [...groups].filter(([, texts]) => texts.length > 0)
}
