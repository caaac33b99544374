import type { Goal } from '../../report/goal.ts'
import { OURS } from '../configurations.ts'
import type { Counts } from './measure.ts'
import { MIN_REFERENCES } from './independent-report.ts'
import type { KindResult } from './independent.ts'
import type { QuestionResult } from './questions.ts'

/** Percent in context, by group and window. */
const MIN_IN_CONTEXT: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  'all with tool calls': { 32_000: 90, 64_000: 94, 128_000: 98 },
  'swe-text': { 32_000: 70 },
}
const MIN_TOLD = 60
/** In percent: questions about what is not in view whose evidence must come back, and lines that must be relevant. */
const MIN_ANSWERED = 40
const MIN_RELEVANT = 66.7

export function createIndependentGoals(results: readonly KindResult[]): readonly Goal[] {
  return results.flatMap((result) => {
    const ours = result.presets[OURS]?.total
    if (ours === undefined || ours.references < MIN_REFERENCES) return []
    return [...contextGoals(result, ours), ...aheadGoals(result, ours), ...toldGoals(result)]
  })
}

function contextGoals({ kind, windowTokens }: KindResult, ours: Counts): readonly Goal[] {
  const wanted = MIN_IN_CONTEXT[kind]?.[windowTokens]
  if (wanted === undefined) return []
  const measured = percent(ours.inContext, ours.references)
  return [
    {
      name: `${nameOf(kind, windowTokens)}: at least ${wanted} % in context`,
      isHeld: measured >= wanted,
      measured: `${measured.toFixed(1)} % of ${ours.references}`,
    },
  ]
}

function aheadGoals({ kind, windowTokens, adjusted }: KindResult, ours: Counts): readonly Goal[] {
  const rivals = Object.entries(adjusted).filter(([, { agrees }]) => agrees)
  if (rivals.length === 0) return []
  const shares = rivals.map(([preset, { summed }]) => ({
    preset,
    share: percent(summed.total.inContext, summed.total.references),
  }))
  const own = percent(ours.inContext, ours.references)
  return [
    {
      name: `${nameOf(kind, windowTokens)}: ahead of every preset at the same mean view`,
      isHeld: shares.every(({ share }) => own > share),
      measured: `${own.toFixed(1)} %; ${shares.map(({ preset, share }) => `${preset} ${share.toFixed(1)} %`).join(', ')}`,
    },
  ]
}

/** Identifiers and quoted strings that no message holds. */
function toldGoals({ kind, windowTokens, presets }: KindResult): readonly Goal[] {
  const byKind = presets[OURS]?.byKind
  if (byKind === undefined) return []
  const [of, held] = [byKind.identifier, byKind.quoted].reduce(
    ([sum, told], counts) => [sum + counts.onlySummary, told + counts.inSummary + counts.broughtBack],
    [0, 0],
  )
  if (of < MIN_REFERENCES) return []
  return [
    {
      name: `${nameOf(kind, windowTokens)}: identifiers and quoted strings that no message holds, at least ${MIN_TOLD} % told or brought back`,
      isHeld: percent(held, of) >= MIN_TOLD,
      measured: `${percent(held, of).toFixed(1)} % of ${of}`,
    },
  ]
}

export function createQuestionGoals(questions: readonly QuestionResult[]): readonly Goal[] {
  if (questions.length === 0) return []
  const sum = (pick: (result: QuestionResult) => number): number =>
    questions.reduce((total, result) => total + pick(result), 0)
  const [asked, lines] = [sum((result) => result.asked), sum((result) => result.lines)]
  const answered = percent(
    sum((result) => result.answered),
    asked,
  )
  const relevant = percent(
    sum((result) => result.relevantLines),
    lines,
  )
  return [
    {
      name: `LoCoMo: evidence brought back without asking, at least ${MIN_ANSWERED} % of what is not in view`,
      isHeld: answered >= MIN_ANSWERED,
      measured: `${answered.toFixed(1)} % of ${asked}`,
    },
    {
      name: 'LoCoMo: of the lines brought back, at most one in three irrelevant',
      isHeld: relevant >= MIN_RELEVANT,
      measured: `${relevant.toFixed(1)} % of ${lines} relevant`,
    },
  ]
}

function percent(held: number, of: number): number {
  return of === 0 ? 0 : (held / of) * 100
}

function nameOf(kind: string, windowTokens: number): string {
  return `independent, ${kind}, ${windowTokens / 1_000}k`
}
