import { tabulate } from '@longhaul/replay'
import type { Table } from '@longhaul/replay'
import type { BenchReport } from '../../bench.ts'
import { formatCount } from '../../report/format-number.ts'
import { OURS } from '../configurations.ts'
import { createIndependentGoals, createQuestionGoals } from './independent-goals.ts'
import { COUNT_KEYS } from './measure.ts'
import type { CountKey, Counts } from './measure.ts'
import { sumRuns } from './sum-runs.ts'
import type { Summed } from './sum-runs.ts'
import type { KindResult } from './independent.ts'
import type { QuestionResult } from './questions.ts'

/** A share of fewer says nothing. */
export const MIN_REFERENCES = 50

const NOTES = [
  'A reference: a rare identifier, path, number, code, quoted string or name that user or model mention, and that no message nearer than ten messages holds. Rare: in five messages before at most. No message counts for more than ten. The same references for every policy.',
  'in context: told anywhere in the request at hand, the system prompt apart. only the summary: no message of the request holds it; of these, told: the summary does. brought back: of what neither has.',
  'Conversations shorter than 40,000 tokens are joined, in the order of the data; a conversation is measured in windows that it does not fit into. Every policy has the same stand-in for a summarizer.',
  `Shares of fewer than ${MIN_REFERENCES} references are left out.`,
]

interface Row {
  readonly name: string
  readonly windowTokens: number
  readonly preset: string
  readonly summed: Summed
}

export function createIndependentReport(
  results: readonly KindResult[],
  questions: readonly QuestionResult[],
): BenchReport {
  const groups = addGroups(results)
  const all = [...results, ...groups]
  const windows = [...new Set(all.map(({ windowTokens }) => windowTokens))].toSorted((a, b) => a - b)
  const tables = windows.flatMap((windowTokens) => {
    const here = all.filter((result) => result.windowTokens === windowTokens)
    return [mainTable(here, windowTokens), kindTable(here, windowTokens), adjustedTable(here, windowTokens)]
  })
  return {
    tables: [...tables, ...(questions.length === 0 ? [] : [questionTable(questions)])],
    goals: [...createIndependentGoals(all), ...createQuestionGoals(questions)],
    numbers: { kinds: results, questions },
  }
}

function questionTable(questions: readonly QuestionResult[]): Table {
  return {
    title: 'LoCoMo: questions at the end of a conversation, in a window of 16k (for evaluation only)',
    ...tabulate(questions, [
      ['conversation', ({ conversation }) => conversation],
      ['not in view', ({ asked }) => String(asked)],
      ['evidence brought back', ({ answered, asked }) => share(answered, asked)],
      ['got any line', ({ bringing }) => String(bringing)],
      ['lines', ({ lines }) => String(lines)],
      ['relevant lines', ({ relevantLines, lines }) => share(relevantLines, lines)],
      ['others’ questions', ({ foreign }) => String(foreign)],
      ['got any line', ({ foreignBringing, foreign }) => share(foreignBringing, foreign)],
    ]),
    notes: [
      'A line is relevant if its message is evidence of the question or stands right beside it. Others’ questions are about another conversation, so any line for one is wrong.',
    ],
  }
}

/** Kinds of one group in one window, where there are several. */
function addGroups(results: readonly KindResult[]): readonly KindResult[] {
  return [...Map.groupBy(results, ({ group, windowTokens }) => `${group} ${windowTokens}`).values()].flatMap(
    (members) => {
      const [first] = members
      if (first === undefined || members.length < 2) return []
      const presets = Object.fromEntries(
        Object.keys(first.presets).map((preset) => [
          preset,
          sumRuns(members.flatMap((member) => member.presets[preset] ?? [])),
        ]),
      )
      const conversations = members.reduce((sum, member) => sum + member.conversations, 0)
      return [{ ...first, kind: `all ${first.group}`, conversations, presets, adjusted: {} }]
    },
  )
}

function mainTable(results: readonly KindResult[], windowTokens: number): Table {
  const rows = results.flatMap(({ kind, presets }) =>
    Object.entries(presets).map(([preset, summed]): Row => ({ name: kind, windowTokens, preset, summed })),
  )
  return {
    title: `Mentioned again after ten messages or more, ${windowTokens / 1_000}k`,
    ...tabulate(rows, [
      ['kind, preset', ({ name, preset }) => `${name}, ${preset}`],
      ['references', ({ summed }) => String(summed.total.references)],
      ['in context', ({ summed: { total } }) => share(total.inContext, total.references)],
      ['only the summary', ({ summed: { total } }) => String(total.onlySummary)],
      ['told', ({ summed: { total } }) => share(total.inSummary, total.onlySummary)],
      ['brought back', ({ summed: { total } }) => share(total.broughtBack, total.onlyBack)],
      ['mean view', ({ summed }) => formatCount(meanView(summed))],
      ['summary', ({ summed }) => formatCount(summed.summaryTokens / Math.max(1, summed.requests))],
      ['recalled', ({ summed }) => formatCount(summed.recalledTokens / Math.max(1, summed.requests))],
      ['compactions', ({ summed }) => String(summed.compactions)],
    ]),
    notes: NOTES,
  }
}

function kindTable(results: readonly KindResult[], windowTokens: number): Table {
  const cell = (counts: Counts | undefined): string =>
    counts === undefined || counts.onlySummary === 0
      ? '–'
      : `${counts.inSummary} + ${counts.broughtBack} of ${counts.onlySummary}`
  return {
    title: `${OURS}, ${windowTokens / 1_000}k: told by the summary + brought back, of what no message holds`,
    ...tabulate(results, [
      ['kind', ({ kind }) => kind],
      ...COUNT_KEYS.map((key): [CountKey, (result: KindResult) => string] => [
        key,
        ({ presets }) => cell(presets[OURS]?.byKind[key]),
      ]),
    ]),
  }
}

function adjustedTable(results: readonly KindResult[], windowTokens: number): Table {
  const rows = results.flatMap((result) =>
    Object.entries(result.adjusted).map(([preset, adjusted]) => ({ result, preset, adjusted })),
  )
  return {
    title: `Presets with the mean view of ${OURS}, ${windowTokens / 1_000}k (all their budgets changed together)`,
    ...tabulate(rows, [
      ['kind, preset', ({ result, preset }) => `${result.kind}, ${preset}`],
      ['as for a window of', ({ adjusted }) => formatCount(adjusted.windowTokens)],
      ['mean view', ({ adjusted }) => `${formatCount(meanView(adjusted.summed))}${adjusted.agrees ? '' : ' (apart)'}`],
      ['in context', ({ adjusted: { summed } }) => share(summed.total.inContext, summed.total.references)],
      [
        OURS,
        ({ result }) => {
          const total = result.presets[OURS]?.total
          return total === undefined ? '–' : share(total.inContext, total.references)
        },
      ],
    ]),
  }
}

function meanView({ viewTokens, requests }: Summed): number {
  return viewTokens / Math.max(1, requests)
}

function share(held: number, of: number): string {
  return of < MIN_REFERENCES ? (of === 0 ? '–' : `${held} of ${of}`) : `${((held / of) * 100).toFixed(1)} %`
}
