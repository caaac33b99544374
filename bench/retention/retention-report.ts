import { shareOf, tabulate } from '@longhaul/replay'
import type { Column, Table, Tally } from '@longhaul/replay'
import type { BenchReport } from '../bench.ts'
import { formatCount } from '../report/format-number.ts'
import { OURS } from './configurations.ts'
import { formatPercent, formatShare } from './format-share.ts'
import { createGoals } from './goals.ts'
import { KINDS } from './left-facts.ts'
import { nameOf } from './results.ts'
import type { Result } from './results.ts'

export interface RetentionNumbers {
  /** Long conversations, compacted as each policy sees fit. */
  readonly long: readonly Result[]
  /** The same, compacted by hand at ten moments that are the same for all, and besides as each policy sees fit. */
  readonly paced: readonly Result[]
  /** Short dialogues, compacted once by hand in the middle. */
  readonly short: readonly Result[]
  /** Short dialogues of one origin joined to a long one, compacted at ten moments. */
  readonly joined: readonly Result[]
}

const NOTES = [
  'choosing: a stand-in for a model that retells first sentences of requests and last sentences of answers, 1,500 characters. one sentence: a model that says next to nothing. no model: Longhaul’s own fallback.',
  'needed: files, commands, URLs, ids and figures that a summary or a trim covered and that user or model mention again, once for each time they were covered.',
  'in context: anywhere in what the model saw at that moment.',
  'Presets that shorten less cover less, so the counts differ; pins and asks are looked for in every request after the first cut.',
  'The tables by kind: counted is what was said or done: written by user or model, or passed to a tool. shown: what only tool outputs held.',
  'A file counts as there by its full path or base name; where files share a base name, by name and folder on one line. A command by its first 60 characters, an ask by its first 200.',
  'The goal on ten compactions follows, for each kind, the facts covered by the first compaction that had covered five of it; the tables below count all facts so far, which grow without end.',
]

export function createRetentionReport({ long, paced, short, joined }: RetentionNumbers): BenchReport {
  const groups = Map.groupBy(long, nameOf)
  return {
    tables: [
      neededTable('Needed again: what user or model mention after it was compacted away', long, NOTES),
      ...[...groups].map(([name, results]) => kindTable(name, results, ({ preset }) => preset)),
      neededTable('Needed again, everybody compacted at the same ten moments', paced, []),
      kindTable(
        `${OURS}, ten moments`,
        paced.filter(({ preset }) => preset === OURS),
        nameOf,
      ),
      neededTable('Short dialogues, compacted once by hand in the middle (no goal)', short, []),
      joinedTable(joined),
    ],
    goals: createGoals(long, paced),
    numbers: { long, paced, short, joined },
  }
}

function neededTable(title: string, results: readonly Result[], notes: readonly string[]): Table {
  return {
    title,
    ...tabulate(results, [
      ['window, summariser, preset', (result) => `${nameOf(result)}, ${result.preset}`],
      ['sessions', ({ sessions }) => String(sessions)],
      ['compactions', ({ compactions }) => String(compactions)],
      ['trims', ({ trims }) => String(trims)],
      ['failed', ({ failures }) => String(failures)],
      ['summary tokens', ({ compactions, summaryTokens }) => (compactions === 0 ? '–' : formatCount(summaryTokens))],
      ['needed', ({ needed }) => String(needed.of)],
      ['in context', ({ needed }) => formatShare(needed)],
      ['missed', ({ needed }) => String(needed.of - needed.held)],
      ['pins', ({ pins }) => formatShare(pins)],
      ['first ask', ({ firstAsk }) => formatShare(firstAsk)],
      ['latest ask', ({ latestAsk }) => formatShare(latestAsk)],
    ]),
    notes,
  }
}

/** A column for each result; the number of facts is that of the first. */
function kindTable(name: string, results: readonly Result[], labelOf: (result: Result) => string): Table {
  const [first] = results
  return {
    title: `Share of the covered facts in the context after 1 / 3 / 10 compactions, percent (${name})`,
    columns: ['', ...results.map(labelOf), `facts, ${first === undefined ? '' : labelOf(first)}`],
    rows: [
      ...KINDS.map((kind) => [
        kind,
        ...results.map(({ snapshots }) => snapshots.map(({ kinds }) => bareShare(kinds[kind])).join(' / ')),
        first?.snapshots.map(({ kinds }) => kinds[kind].of).join(' / ') ?? '',
      ]),
      ['sessions', ...results.map(({ snapshots }) => snapshots.map(({ sessions }) => sessions).join(' / '))],
    ],
  }
}

/** Of all facts so far after ten compactions; that no window holds hundreds of asks is no miss. */
function joinedTable(results: readonly Result[]): Table {
  const kinds = KINDS.filter((kind) => results.some(({ snapshots }) => (snapshots.at(-1)?.kinds[kind].of ?? 0) > 0))
  return {
    title: 'Dialogues joined to long ones, compacted at ten moments: all facts so far after ten, of how many (no goal)',
    ...tabulate(results, [
      ['origin, preset', ({ preset }) => preset],
      ['compactions', ({ compactions }) => String(compactions)],
      ['summary tokens', ({ summaryTokens }) => formatCount(summaryTokens)],
      ['needed', ({ needed }) => withCount(needed)],
      ['first ask', ({ firstAsk }) => formatShare(firstAsk)],
      ['latest ask', ({ latestAsk }) => formatShare(latestAsk)],
      ...kinds.map((kind): Column<Result> => [
        kind,
        ({ snapshots }) => withCount(snapshots.at(-1)?.kinds[kind] ?? { held: 0, of: 0 }),
      ]),
    ]),
  }
}

function withCount(tally: Tally): string {
  return tally.of === 0 ? '–' : `${formatShare(tally)} (${tally.of})`
}

function bareShare(tally: Tally): string {
  const share = shareOf(tally)
  return share === null ? '–' : formatPercent(share)
}
