import { applyReply } from '../summary/apply-reply.ts'
import { createExtractiveSummary } from '../summary/extractive-summary.ts'
import { fitDocument } from '../summary/fit-document.ts'
import { settleLatestAsk, updateLedger } from '../summary/ledger/ledger.ts'
import { requiredTokens } from '../summary/ledger/render-ledger.ts'
import { renderDocument } from '../summary/render-document.ts'
import { renderSummary } from '../summary/render-summary.ts'
import { verifyQuotes } from '../summary/verify-quotes.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { LedgerFact, SummaryBudgets, SummaryDocument } from '../transcript/summary-document.ts'
import { createSummaryCalls } from './calls/ask-summary.ts'
import type { SummaryCalls } from './calls/ask-summary.ts'
import type { Chunk } from './chunks.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import { EXPECTED_GAIN } from './plan-compaction.ts'
import { createChangesPrompt } from './prompts/changes-v1.ts'
import { MODEL_FREE_STRATEGY, NOTES_STRATEGY } from './strategy.ts'
import type { CompactionStrategy, StrategyContext } from './strategy.ts'
import { readSummaryJob } from './summary-job.ts'
import type { SummaryJob } from './summary-job.ts'
import { createGapSection } from './summary-unavailable.ts'

/** What the notes that a model writes may take of the window. */
const DOCUMENT_SHARE = 0.04
/** The ledger that code keeps beside them: so much holds the facts of a long session, whatever the window. */
const LEDGER_TOKENS = 8_000
const MIN_LEDGER_SHARE = 0.08
const MAX_LEDGER_SHARE = 0.15

const KEPT_NOTES_SHARE = 2

const EMPTY: SummaryDocument = { version: 1, sections: [] }

/**
 * Facts by code, prose by a model. The model proposes changes to the notes chunk by chunk; notes it does not mention stay
 * byte for byte, and a chunk that fails again is named in them. Whatever it writes or leaves out, the ledger of the span is complete.
 */
export const longhaulStrategy: CompactionStrategy = {
  name: NOTES_STRATEGY,
  async summarize(plan, context) {
    const job = readSummaryJob(plan, context, { isNumbered: true })
    if (!job.material.isReadable) return extractiveStrategy.summarize(plan, context)
    const calls = createSummaryCalls(context)
    const { chunks } = job.material
    const isAlone = chunks.length === 1
    const { notes, gaps, flaw } = await takeNotes(plan, context, { job, ask: isAlone ? calls.ask : calls.askPart })
    const usage = calls.usage()
    if (context.signal.aborted) return { ok: false, problem: 'cancelled', usage }
    if (gaps.length === chunks.length) return { ok: false, problem: flaw ?? '', usage, isFinal: !isAlone }
    const document = gaps.length === 0 ? notes : { ...notes, sections: [...notes.sections, createGapSection(gaps)] }
    const written = withLedger(document, updateLedger(document.ledger ?? [], plan.span), plan, context)
    return { ok: true, document: written, usage, ...(isAlone && flaw !== null ? { weakness: flaw } : {}) }
  },
}

interface Notes {
  readonly notes: SummaryDocument
  /** The chunks for which no reply could be used. */
  readonly gaps: readonly Chunk[]
  /** The problem of the last reply that was not as it should be. */
  readonly flaw: string | null
}

/** One call a chunk, in order, for each changes what the one before left. */
async function takeNotes(
  plan: CompactionPlan,
  context: StrategyContext,
  { job, ask }: { readonly job: SummaryJob; readonly ask: SummaryCalls['ask'] },
): Promise<Notes> {
  const { material, wishes, measure } = job
  const sources = plan.span.map(({ entry }) => ({ id: entry.id, seq: entry.seq }))
  const said = findSaid(plan)
  const gaps: Chunk[] = []
  let notes = plan.previousDocument ?? EMPTY
  let flaw: string | null = null
  for (const chunk of material.chunks) {
    const { text: transcript, items } = chunk
    const reply = await ask(
      createChangesPrompt({ ...wishes, transcript, document: notes }),
      { ...measure, readTokens: estimateField(transcript, measure.estimator) },
      { earlier: plan.previousDocument === null ? null : renderDocument(notes, { ids: true }) || null, items },
    )
    flaw = (reply.ok ? reply.weakness : reply.problem) ?? flaw
    if (reply.ok) notes = boundNotes(applyReply(notes, verifyQuotes(reply.text, said).text, { sources }), context)
    else gaps.push(chunk)
  }
  return { notes, gaps, flaw }
}

/** The same without a model: sentences of the conversation itself. The last resort, so it never fails. */
export const extractiveStrategy: CompactionStrategy = {
  name: MODEL_FREE_STRATEGY,
  summarize(plan, context) {
    const { previousDocument, span } = plan
    const { estimator } = context.policy
    const ledger = updateLedger(previousDocument?.ledger ?? [], span)
    const { documentTokens } = findBudgets(plan, ledger, context)
    const options = { previousDocument, budgetTokens: documentTokens, estimator, ledger }
    const written = withLedger(createExtractiveSummary(span, options), ledger, plan, context)
    return Promise.resolve({ ok: true, document: written, usage: null })
  },
}

/** More notes are kept than shown, but not for ever: what is done and old leaves first. */
function boundNotes(document: SummaryDocument, { limits, policy: { estimator } }: StrategyContext): SummaryDocument {
  const budgetTokens = limits.windowTokens * DOCUMENT_SHARE * KEPT_NOTES_SHARE
  return fitDocument(document, { budgetTokens, estimator }).document
}

function withLedger(
  document: SummaryDocument,
  facts: readonly LedgerFact[],
  plan: CompactionPlan,
  context: StrategyContext,
): SummaryDocument {
  const ledger = settleLatestAsk(facts, plan.kept)
  return { ...document, ledger, budgets: findBudgets(plan, ledger, context) }
}

/**
 * Shares of the window. But of what it replaces a summary gives half back, or a short span would only be told again; and
 * never so much that asks or changed files would go: rather no summary than one without them.
 */
function findBudgets(
  { spanTokens, previousDocument }: CompactionPlan,
  ledger: readonly LedgerFact[],
  { limits, policy: { estimator } }: StrategyContext,
): SummaryBudgets {
  const { windowTokens } = limits
  const most = {
    document: windowTokens * DOCUMENT_SHARE,
    ledger: Math.min(windowTokens * MAX_LEDGER_SHARE, Math.max(windowTokens * MIN_LEDGER_SHARE, LEDGER_TOKENS)),
  }
  const shown = previousDocument === null ? 0 : estimateField(renderSummary(previousDocument), estimator)
  const part = Math.min(1, (shown + spanTokens * (1 - EXPECTED_GAIN)) / (most.document + most.ledger))
  return {
    documentTokens: Math.floor(most.document * part),
    ledgerTokens: Math.floor(Math.min(most.ledger, Math.max(most.ledger * part, requiredTokens(ledger, estimator)))),
    estimator,
  }
}

/** The user's words, those that only the ledger still holds included. Earlier notes prove nothing: a model wrote them. */
function findSaid({ span, previousDocument }: CompactionPlan): readonly string[] {
  const spoken = span.flatMap(({ entry }) =>
    entry.role === 'user' ? entry.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  )
  const kept = previousDocument?.ledger?.flatMap(({ by, text }) => (by === 'user' ? [text] : [])) ?? []
  return [...spoken, ...kept]
}
