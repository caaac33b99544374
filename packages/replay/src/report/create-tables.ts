import { RETENTION_KINDS } from '../retention/retention.ts'
import type { KindRetention } from '../retention/retention.ts'
import { shareOf } from '../retention/tally.ts'
import type { Tally } from '../retention/tally.ts'
import type { ReplayReport } from '../run/replay.ts'
import { findFrontier } from './frontier.ts'
import { summarisePolicies } from './policy-summary.ts'
import type { PolicySummary } from './policy-summary.ts'
import type { Table } from './table.ts'

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
    columns: [
      'policy',
      'cost',
      'upkeep',
      'cached',
      'largest',
      'over',
      'compactions',
      'no gain',
      'trims',
      'prunes',
      'flushes',
      'failed',
      'waits',
    ],
    rows: summaries.map(({ policy, totals }) => [
      policy.name,
      formatUsd(totals.costUsd),
      formatUsd(totals.maintenanceUsd),
      `${(totals.hitRate * 100).toFixed(1)} %`,
      formatCount(totals.maxTokens),
      ...[
        totals.overWindow,
        totals.compactions,
        totals.noGain,
        totals.trims,
        totals.prunes,
        totals.flushes,
        totals.failures,
        totals.waits,
      ].map(String),
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
  const hasQuestions = summaries.some(({ questions }) => questions !== null)
  return {
    title: 'What it would have kept',
    columns: [
      'policy',
      'referred to',
      'in context',
      `recall@${recallHits}`,
      'facts at the end',
      'in context',
      `recall@${recallHits}`,
      ...(hasQuestions ? ['questions', 'in context', `recall@${recallHits}`] : []),
      'cheaper and keeps more',
    ],
    rows: summaries.map(({ policy, all, questions }) => [
      policy.name,
      formatCount(all.referredInContext.of),
      formatShare(all.referredInContext),
      formatPart(all.referredRecalled),
      formatCount(all.endInContext.of),
      formatShare(all.endInContext),
      formatPart(all.endRecalled),
      ...(hasQuestions
        ? [String(questions?.inContext.of ?? 0), formatShare(questions?.inContext), formatPart(questions?.recalled)]
        : []),
      points.get(policy.name)?.beatenBy.join(', ') || (points.has(policy.name) ? 'nobody' : '–'),
    ]),
    notes: [
      'referred to: user or model mention it again ten messages or more after it was last mentioned. The same for every policy.',
      `recall@${recallHits}: of what is not in context, found by a search with the other words of the message that refers back (of how many). –: nothing to search with.`,
    ],
  }
}

function createKindTable(
  title: string,
  summaries: readonly PolicySummary[],
  pick: (kind: KindRetention) => Tally,
): Table {
  const kinds = RETENTION_KINDS.filter((kind) => summaries.some((summary) => pick(summary.kinds[kind]).of > 0))
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
