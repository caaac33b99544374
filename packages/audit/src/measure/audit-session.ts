import { estimateMessage, renderDocument } from '@longhaul/engine/advanced'
import type { CompactionEntry, Message } from '@longhaul/engine/advanced'
import { createRegistry } from '@longhaul/models/prices'
import type { Registry } from '@longhaul/models/prices'
import { PUT_BACK } from '../find/agent-session.ts'
import type { AgentSession } from '../find/agent-session.ts'
import type { CompactionAudit, LonghaulEstimate, LostFact, Place, SessionAudit } from '../report/audit-report.ts'
import { findWindow } from './find-window.ts'
import { followLonghaul } from './follow-longhaul.ts'
import { followRecorded } from './follow-recorded.ts'
import type { MeasuredCompaction, Recorded } from './follow-recorded.ts'
import { priceSession } from './price-session.ts'
import type { SessionPrices } from './price-session.ts'
import { createMentionReader } from './session/mention-reader.ts'
import type { Spot } from './session/fact-table.ts'
import type { SessionFollower } from './session/follow-session.ts'
import type { FoundLoss } from './session/loss-tally.ts'
import { createPlaces } from './tell-places.ts'

export interface AuditSessionOptions {
  /** The size of the agent's window as the user gave it; it overrides every other source. */
  readonly windowTokens?: number | undefined
  readonly registry?: Registry | undefined
  readonly signal: AbortSignal
}

/** Measures what a session's compactions lost and cost, what was fetched again, and how Longhaul would have done. */
export async function auditSession(session: AgentSession, options: AuditSessionOptions): Promise<SessionAudit> {
  const { signal } = options
  const registry = options.registry ?? createRegistry()
  const { entries, session: told } = session.imported
  const model = told.model ?? null
  const isCompacted = entries.some(({ type }) => type === 'compaction')
  const reader = createMentionReader()
  const recorded = isCompacted ? followRecorded(session.imported, reader, signal) : null
  const tokensBefore = (recorded?.compactions ?? []).map((compaction) => sizeOf(compaction, session).tokensBefore)
  const { windowTokens, windowSource, replayTokens } = findWindow({
    session,
    told: options.windowTokens,
    model,
    registry,
    tokensBefore,
  })
  const common = {
    id: told.id,
    parentId: session.parentId,
    agent: session.agent,
    path: session.path,
    title: told.title ?? null,
    startedAt: told.createdAt > 0 ? told.createdAt : null,
    messages: entries.filter(({ type }) => type === 'message').length,
    model,
    windowTokens,
    windowSource,
  }
  if (recorded === null) return { ...common, compactions: [], withLonghaul: null }
  const prices = priceSession(recorded.spoken, model, registry)
  const places = createPlaces(entries, recorded.spoken)
  const compactions = recorded.compactions.map((compaction, number) =>
    auditCompaction({ compaction, number, recorded, session, prices, places }),
  )
  const run = await followLonghaul(session.imported, reader, { windowTokens: replayTokens, registry, signal })
  return { ...common, compactions, withLonghaul: run === null ? null : estimate(run.follower, run.totals, prices) }
}

interface CompactionParts {
  readonly compaction: MeasuredCompaction
  readonly number: number
  readonly recorded: Recorded
  readonly session: AgentSession
  readonly prices: SessionPrices
  readonly places: (spot: Spot) => Place
}

function auditCompaction({ compaction, number, recorded, session, prices, places }: CompactionParts): CompactionAudit {
  const { follower } = recorded
  const { entry } = compaction
  const { facts, byKind, told, needed } = follower.countsOf(number)
  const sizes = sizeOf(compaction, session)
  const refetched = follower.refetches
    .filter((refetch) => refetch.compaction === number)
    .map(({ path, command, tokens, at }) => ({
      path,
      command,
      tokens,
      tokensSource: 'measured' as const,
      at: places(at),
    }))
  const summaryUsd = prices.summaryUsd(entry, { input: sizes.tokensBefore, output: measureWritten(entry) })
  const refetchUsd = prices.refetchUsd(refetched.reduce((sum, { tokens }) => sum + tokens, 0))
  const lost = distinct(follower.losses.filter((loss) => loss.compaction === number))
  return {
    at: entry.at === 0 ? null : entry.at,
    trigger: session.recorded.get(entry.id)?.trigger ?? null,
    ...sizes,
    facts,
    factsByKind: byKind,
    told,
    needed,
    lost: lost.map((loss) => tellLoss(loss, places)),
    refetched,
    costUsd: summaryUsd === null || refetchUsd === null ? null : summaryUsd + refetchUsd,
    cost: { summaryUsd, refetchUsd },
  }
}

function tellLoss({ fact, saidAt, neededAt }: FoundLoss, places: (spot: Spot) => Place): LostFact {
  return { kind: fact.kind ?? '', text: fact.text, saidAt: places(saidAt), neededAt: places(neededAt) }
}

/** Losses of one compaction that name the same thing, as a file and the module in it, are one. */
function distinct(losses: readonly FoundLoss[]): readonly FoundLoss[] {
  const seen = new Set<string>()
  return losses.filter(({ fact, compaction }) => {
    const key = `${compaction} ${fact.alias?.key ?? fact.key}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

type Sizes = Pick<CompactionAudit, 'tokensBefore' | 'tokensAfter' | 'tokensSource'>

/** The agent's own figures; without them the bills around the compaction; else what the messages measure. */
function sizeOf({ entry, before, after, lastAnswer }: MeasuredCompaction, session: AgentSession): Sizes {
  const noted = session.recorded.get(entry.id)
  const tokensBefore = noted?.tokensBefore ?? positive(entry.tokensBefore)
  const tokensAfter = noted?.tokensAfter ?? positive(entry.tokensAfter)
  if (tokensBefore !== null) return { tokensBefore, tokensAfter, tokensSource: 'recorded' }
  const usage = lastAnswer?.usage
  const billed = usage === undefined ? null : usage.input + usage.output
  return {
    tokensBefore: billed ?? measure(before),
    tokensAfter: tokensAfter ?? measure(after),
    tokensSource: 'measured',
  }
}

/** The size of what the model wrote. Texts that the agent put back beside it cost nothing to write. */
function measureWritten({ document }: CompactionEntry): number {
  const written = { ...document, sections: document.sections.filter(({ title }) => title !== PUT_BACK) }
  return measure([{ role: 'user', parts: [{ type: 'text', text: renderDocument(written) }] }])
}

function measure(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message, 'classes'), 0)
}

function positive(tokens: number): number | null {
  return tokens > 0 ? tokens : null
}

/** Cost here is what the audit counts for the agent too: writing summaries and fetching again, not the conversation itself. */
function estimate(
  { losses, refetches }: SessionFollower,
  totals: { readonly compactions: number; readonly maintenanceUsd: number | null },
  prices: SessionPrices,
): LonghaulEstimate {
  const refetchedTokensAtMost = refetches.reduce((sum, { tokens }) => sum + tokens, 0)
  const refetchUsd = prices.refetchUsd(refetchedTokensAtMost)
  const { compactions, maintenanceUsd } = totals
  const costUsd = maintenanceUsd === null || refetchUsd === null ? null : maintenanceUsd + refetchUsd
  return { lost: distinct(losses).length, refetchedTokensAtMost, compactions, costUsd }
}
