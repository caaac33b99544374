import { shareOf } from '../../retention/tally.ts'
import { FACT_KINDS } from '../../retention/facts/fact.ts'
import type { ReplayReport } from '../../run/replay.ts'
import type { Layers, RunResult } from '../../run/run-result.ts'
import { findFrontier } from '../frontier.ts'
import { summarisePolicies } from '../policy-summary.ts'
import type { PolicySummary } from '../policy-summary.ts'

const LAYERS: readonly (keyof Layers)[] = ['head', 'summary', 'pins', 'shortened', 'user', 'assistant', 'tool']
const MAX_DRAWN = 12

/** What the page draws. Numbers in columns: a long conversation has hundreds of requests under a dozen policies. */
export function createPageData({ summaries, isLive, recallHits, runs }: ReplayReport) {
  const policies = summarisePolicies(runs)
  const beaten = new Map(findFrontier(policies).map(({ name, beatenBy }) => [name, beatenBy]))
  const groups = [...Map.groupBy(runs, ({ conversation }) => conversation).values()]
  const drawn = groups
    .filter((group) => group.some(({ requests }) => requests.length > 0))
    .toSorted((a, b) => (b[0]?.messages ?? 0) - (a[0]?.messages ?? 0))
    .slice(0, MAX_DRAWN)
  return {
    summaries,
    isLive,
    total: { count: groups.length, messages: groups.reduce((sum, [run]) => sum + (run?.messages ?? 0), 0) },
    recallHits,
    kinds: FACT_KINDS,
    layers: LAYERS,
    policies: policies.map((summary) => createPolicy(summary, beaten.get(summary.policy.name) ?? [])),
    // The longest; the others are in the sums.
    conversations: drawn.map((group) => ({
      name: group[0]?.conversation ?? '',
      windowTokens: group[0]?.windowTokens ?? 0,
      // Of a long one not every request is drawn.
      ofRequests: group[0]?.totals.requests ?? 0,
      runs: group.map(createRun),
    })),
  }
}

function createPolicy({ policy, totals, kinds, all }: PolicySummary, beatenBy: readonly string[]) {
  const { name, kind, about, source } = policy
  const { costUsd, compactions, overWindow, waits, hitRate } = totals
  return {
    name,
    kind,
    about,
    source,
    costUsd,
    compactions,
    overWindow,
    waits,
    hitRate,
    // Percent; null: nothing to measure.
    kept: shareOf(all.referredInContext),
    // Sentences are not repeated: for them the end is what tells.
    keptByKind: FACT_KINDS.map(
      (factKind) => shareOf(kinds[factKind].referredInContext) ?? shareOf(kinds[factKind].endInContext),
    ),
    recalledByKind: FACT_KINDS.map((factKind) => shareOf(kinds[factKind].referredRecalled)),
    beatenBy,
  }
}

function createRun({ policy, requests }: RunResult) {
  return {
    policy: policy.name,
    message: requests.map(({ message }) => message),
    tokens: requests.map(({ tokens }) => tokens),
    cacheRead: requests.map(({ cacheRead }) => cacheRead),
    // Up to and with each request, maintenance included.
    costUsd: requests.map(({ paidUsd }) => Math.round((paidUsd ?? 0) * 10_000) / 10_000),
    layers: LAYERS.map((layer) => requests.map(({ layers }) => layers[layer])),
    events: requests.flatMap(({ events }, request) =>
      events.map(({ action, reason, tokensBefore, tokensAfter, isForeground }) => ({
        request,
        action,
        reason,
        before: tokensBefore,
        after: tokensAfter,
        isForeground,
      })),
    ),
  }
}
