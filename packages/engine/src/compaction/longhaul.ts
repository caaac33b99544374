import type { Limits } from '../policy/limits.ts'
import { applyReply } from '../summary/apply-reply.ts'
import { scoreCoverage } from '../summary/coverage.ts'
import { extractFacts } from '../summary/extract-facts.ts'
import { createExtractiveSummary } from '../summary/extractive-summary.ts'
import { fitDocument } from '../summary/fit-document.ts'
import { settleLatestAsk, updateLedger } from '../summary/ledger/ledger.ts'
import { renderSummary } from '../summary/render-summary.ts'
import { verifyQuotes } from '../summary/verify-quotes.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { LedgerFact, SummaryBudgets, SummaryDocument } from '../transcript/summary-document.ts'
import { createSummaryCalls } from './calls/ask-summary.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import { createChangesPrompt } from './prompts/changes-v1.ts'
import { MODEL_FREE_STRATEGY } from './strategy.ts'
import type { CompactionStrategy, StrategyContext } from './strategy.ts'
import { readSummaryJob } from './summary-job.ts'

/** What the summary may take of the window: the notes a model writes, and the ledger that code keeps beside them. */
const DOCUMENT_SHARE = 0.04
const LEDGER_SHARE = 0.08
/** Facts do not get fewer with the window: below this size the ledger is given more of it. */
const SMALL_WINDOW_TOKENS = 64_000
const SMALL_LEDGER_SHARE = 0.1

const KEPT_NOTES_SHARE = 2

const EMPTY: SummaryDocument = { version: 1, sections: [] }

/**
 * Facts by code, prose by a model. The model proposes changes to the notes chunk by chunk; notes it does not mention stay
 * byte for byte. Whatever it writes or leaves out, the ledger of the span is complete, and the score says what it holds.
 */
export const longhaulStrategy: CompactionStrategy = {
  name: 'longhaul',
  async summarise(plan, context) {
    const { material, wishes, measure } = readSummaryJob(plan, context)
    if (!material.isReadable) return extractiveStrategy.summarise(plan, context)
    const calls = createSummaryCalls(plan, context)
    const sources = plan.span.map(({ entry }) => ({ id: entry.id, seq: entry.seq }))
    const said = findSaid(plan)
    let document = plan.previousDocument ?? EMPTY
    for (const { text: transcript } of material.chunks) {
      const reply = await calls.ask(createChangesPrompt({ ...wishes, transcript, document }), {
        ...measure,
        readTokens: estimateField(transcript, measure.estimator),
      })
      if (!reply.ok) return { ok: false, problem: reply.problem, usage: calls.usage() }
      document = boundNotes(applyReply(document, verifyQuotes(reply.text, said).text, { sources }), context)
    }
    const written = withLedger(document, updateLedger(document.ledger ?? [], plan.span), plan, context)
    return { ok: true, document: written, usage: calls.usage(), score: scoreDocument(plan, written) }
  },
}

/** The same without a model: sentences of the conversation itself. The last resort, so it never fails. */
export const extractiveStrategy: CompactionStrategy = {
  name: MODEL_FREE_STRATEGY,
  summarise(plan, context) {
    const { previousDocument, span } = plan
    const { estimator } = context.policy
    const { documentTokens } = findBudgets(context)
    const extracted = createExtractiveSummary(span, { previousDocument, budgetTokens: documentTokens, estimator })
    const written = withLedger(extracted, extracted.ledger ?? [], plan, context)
    return Promise.resolve({ ok: true, document: written, usage: null, score: scoreDocument(plan, written) })
  },
}

/** More notes are kept than shown, but not for ever: what is done and old leaves first. */
function boundNotes(document: SummaryDocument, context: StrategyContext): SummaryDocument {
  const { documentTokens, estimator } = findBudgets(context)
  return fitDocument(document, { budgetTokens: documentTokens * KEPT_NOTES_SHARE, estimator }).document
}

function withLedger(
  document: SummaryDocument,
  ledger: readonly LedgerFact[],
  { kept }: CompactionPlan,
  context: StrategyContext,
): SummaryDocument {
  return { ...document, ledger: settleLatestAsk(ledger, kept), budgets: findBudgets(context) }
}

function findBudgets({ limits, policy }: { limits: Limits; policy: StrategyContext['policy'] }): SummaryBudgets {
  const ledgerShare = limits.windowTokens < SMALL_WINDOW_TOKENS ? SMALL_LEDGER_SHARE : LEDGER_SHARE
  return {
    documentTokens: Math.floor(limits.windowTokens * DOCUMENT_SHARE),
    ledgerTokens: Math.floor(limits.windowTokens * ledgerShare),
    estimator: policy.estimator,
  }
}

/** The share of the span's facts that what is shown holds: 0 to 1. */
function scoreDocument({ span }: CompactionPlan, document: SummaryDocument): number {
  return scoreCoverage(extractFacts(span), renderSummary(document)).score
}

/** The user's words, those that only the ledger still holds included. Earlier notes prove nothing: a model wrote them. */
function findSaid({ span, previousDocument }: CompactionPlan): readonly string[] {
  const spoken = span.flatMap(({ entry }) =>
    entry.role === 'user' ? entry.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  )
  const kept = previousDocument?.ledger?.flatMap(({ by, text }) => (by === 'user' ? [text] : [])) ?? []
  return [...spoken, ...kept]
}
