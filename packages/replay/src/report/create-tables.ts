import { FACT_KINDS } from '../retention/facts/fact.ts'
import type { KindRetention } from '../retention/retention.ts'
import { shareOf } from '../retention/tally.ts'
import type { Tally } from '../retention/tally.ts'
import type { ReplayReport } from '../run/replay.ts'
import { findFrontier } from './frontier.ts'
import type { FrontierPoint } from './frontier.ts'
import { summarisePolicies } from './policy-summary.ts'
import type { PolicySummary } from './policy-summary.ts'
import { tabulate } from './table.ts'
import type { Column, Table } from './table.ts'

export function createTables(report: ReplayReport): readonly Table[] {
  const summaries = summarisePolicies(report.runs)
  return [
    createCostTable(report, summaries),
    createKeptTable(report, summaries),
    createKindTable('In context where user or model refer back, by kind', summaries, (kind) => kind.referredInContext),
    createKindTable('In context at the end, by kind', summaries, (kind) => kind.endInContext),
    createSourceTable(summaries),
  ]
}

function createCostTable({ summaries: writer, runs }: ReplayReport, summaries: readonly PolicySummary[]): Table {
  const windows = [...new Set(runs.map(({ windowTokens }) => formatCount(windowTokens)))]
  const models = [...new Set(runs.map(({ model }) => model ?? 'unknown'))]
  const conversations = new Set(runs.map(({ conversation }) => conversation)).size
  return {
    title: `What it would have cost: ${formatCount(conversations)} ${conversations === 1 ? 'conversation' : 'conversations'}`,
    ...tabulate(summaries, [
      ['policy', ({ policy }) => policy.name],
      ['cost', ({ totals }) => formatUsd(totals.costUsd)],
      ['upkeep', ({ totals }) => formatUsd(totals.maintenanceUsd)],
      ['cached', ({ totals }) => `${(totals.hitRate * 100).toFixed(1)} %`],
      ['largest', ({ totals }) => formatCount(totals.maxTokens)],
      ['over', ({ totals }) => String(totals.overWindow)],
      ['compactions', ({ totals }) => String(totals.compactions)],
      ['no gain', ({ totals }) => String(totals.noGain)],
      ['trims', ({ totals }) => String(totals.trims)],
      ['prunes', ({ totals }) => String(totals.prunes)],
      ['flushes', ({ totals }) => String(totals.flushes)],
      ['failed', ({ totals }) => String(totals.failures)],
      ['waits', ({ totals }) => String(totals.waits)],
    ]),
    notes: [
      `Window ${windows.join(', ')} tokens; prices and cache of ${models.join(', ')}. Summaries: ${writer}.`,
      'upkeep: the calls for summaries and flushes, part of the cost; for extracts, what a model’s call would have cost.',
      'over: requests beyond the window, which a provider refuses; counted at the price of sending them.',
      'no gain: compactions that freed less than a twentieth.',
      'waits: calls of maintenance that an answer had to wait for.',
    ],
  }
}

function createKeptTable({ recallHits }: ReplayReport, summaries: readonly PolicySummary[]): Table {
  const points = new Map(findFrontier(summaries).map((point) => [point.name, point]))
  const recall = `recall@${recallHits}`
  const questions: readonly Column<PolicySummary>[] = [
    ['questions', ({ questions: asked }) => String(asked?.inContext.of ?? 0)],
    ['in context', ({ questions: asked }) => formatShare(asked?.inContext)],
    [recall, ({ questions: asked }) => formatPart(asked?.recalled)],
  ]
  return {
    title: 'What it would have kept',
    ...tabulate(summaries, [
      ['policy', ({ policy }) => policy.name],
      ['referred to', ({ all }) => formatCount(all.referredInContext.of)],
      ['in context', ({ all }) => formatShare(all.referredInContext)],
      [recall, ({ all }) => formatPart(all.referredRecalled)],
      ['facts at the end', ({ all }) => formatCount(all.endInContext.of)],
      ['in context', ({ all }) => formatShare(all.endInContext)],
      [recall, ({ all }) => formatPart(all.endRecalled)],
      ...(summaries.some((summary) => summary.questions !== null) ? questions : []),
      ['cheaper and keeps more', ({ policy }) => describeBetter(points.get(policy.name))],
    ]),
    notes: [
      'referred to: user or model mention it again ten messages or more after it was last mentioned. The same for every policy.',
      `${recall}: of what is not in context, found by a search with the other words of the message that refers back (of how many). –: nothing to search with.`,
    ],
  }
}

function describeBetter(point: FrontierPoint | undefined): string {
  return point === undefined ? '–' : point.beatenBy.join(', ') || 'nobody'
}

function createKindTable(
  title: string,
  summaries: readonly PolicySummary[],
  pick: (kind: KindRetention) => Tally,
): Table {
  const kinds = FACT_KINDS.filter((kind) => summaries.some((summary) => pick(summary.kinds[kind]).of > 0))
  const [first] = summaries
  return {
    title,
    columns: ['policy', ...kinds.map((kind) => `${kind} (${first === undefined ? 0 : pick(first.kinds[kind]).of})`)],
    rows: summaries.map((summary) => [
      summary.policy.name,
      ...kinds.map((kind) => formatShare(pick(summary.kinds[kind]))),
    ]),
  }
}

function createSourceTable(summaries: readonly PolicySummary[]): Table {
  const peers = summaries.filter(({ policy }) => policy.kind === 'peer')
  return {
    title: 'Where the policies come from',
    columns: ['policy'],
    rows: [],
    notes: peers.map(({ policy }) => `${policy.name}: ${policy.about}. ${policy.source}.`),
  }
}

/** With a decimal where one fact more or less shows in it. A share that is not whole never reads as whole. */
function formatShare(tally: Tally | undefined): string {
  const share = tally === undefined ? null : shareOf(tally)
  if (share === null) return '–'
  const isFine = (tally?.of ?? 0) >= 100 || (share > 99.5 && share < 100)
  return `${share.toFixed(isFine && share < 100 ? 1 : 0)} %`
}

function formatPart(tally: Tally | undefined): string {
  return tally === undefined || tally.of === 0 ? '–' : `${formatShare(tally)} (${tally.of})`
}

function formatUsd(usd: number | null): string {
  return usd === null ? 'unknown' : `$${usd.toFixed(2)}`
}

function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}
