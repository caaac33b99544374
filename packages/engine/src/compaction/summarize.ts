import { createProseDocument } from '../summary/render-document.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'
import type { SummaryDocument, SummarySection } from '../transcript/summary-document.ts'
import { createSummaryCalls } from './calls/ask-summary.ts'
import type { AskedSummary, SummaryCalls } from './calls/ask-summary.ts'
import type { Chunk, ChunkPlan } from './chunks.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import { mergeParts } from './calls/merge-parts.ts'
import { createSummarisePrompt } from './prompts/summarise-v1.ts'
import { askInOrder } from './calls/ask-in-order.ts'
import type { CompactionStrategy } from './strategy.ts'
import { idsOf, readSummaryJob } from './summary-job.ts'
import type { SummaryJob } from './summary-job.ts'
import { summaryUnavailable } from './summary-unavailable.ts'

/**
 * A model writes one prose summary of span and earlier summary. A span too long for one call is summarised in chunks,
 * whose summaries are merged. If one chunk fails, all has failed: a gap in the middle would be a silent loss.
 */
export const summarizeStrategy: CompactionStrategy = {
  name: 'summarize',
  async summarise(plan, context) {
    const job = readSummaryJob(plan, context, { isNumbered: false })
    if (!job.material.isReadable) return { ok: true, document: writeByCode(plan, job.material), usage: null }
    const calls = createSummaryCalls(context)
    const written = await writeSummary(job, calls)
    const usage = calls.usage()
    if (!written.ok) return { ok: false, problem: written.problem, usage }
    return { ok: true, document: createDocument(plan, job.material, written.text), usage }
  },
}

async function writeSummary(job: SummaryJob, calls: SummaryCalls): Promise<AskedSummary> {
  const { material, earlier, wishes, measure } = job
  const ask = (
    { text: transcript, items }: Chunk,
    earlierSummary: string | null,
    replacedTokens: number | null,
  ): Promise<AskedSummary> =>
    calls.ask(
      createSummarisePrompt({ ...wishes, transcript, earlierSummary }),
      { ...measure, replacedTokens, readTokens: estimateField(transcript, measure.estimator) },
      { earlier: earlierSummary, items },
    )
  const [only, ...others] = material.chunks
  if (only !== undefined && others.length === 0) return ask(only, earlier, measure.replacedTokens)
  const asked = await askInOrder(material.chunks, (chunk) => ask(chunk, null, null))
  if (!asked.ok) return asked
  const parts = asked.texts.map((text, index) => ({ text, earlier: null, items: itemsOf(material.chunks[index]) }))
  return mergeParts(earlier === null ? parts : [{ text: earlier, earlier, items: [] }, ...parts], { ...job, calls })
}

/** Those that its summary can tell of. */
function itemsOf(chunk: Chunk | undefined): readonly Item[] {
  return chunk?.items.flatMap(({ item, state }) => (state === 'left-out' ? [] : [item])) ?? []
}

/** The ids are those of this span; what lies before is found through the compaction that this one stands on. */
function createDocument(plan: CompactionPlan, { leftOut }: ChunkPlan, text: string): SummaryDocument {
  const { sections } = createProseDocument(text, idsOf(plan.span))
  return keepLedger(plan, leftOut.length === 0 ? sections : [...sections, leftOutSection(plan, notesOf(leftOut))])
}

/** Nothing in the span can be read by a model: the earlier summary stays, and the text says what is missing. */
function writeByCode(plan: CompactionPlan, { leftOut }: ChunkPlan): SummaryDocument {
  const earlier = plan.previousDocument?.sections ?? []
  const missing = leftOut.length > 0 ? notesOf(leftOut) : summaryUnavailable(plan.span.length)
  return keepLedger(plan, [...earlier, leftOutSection(plan, missing)])
}

function keepLedger({ previousDocument }: CompactionPlan, sections: readonly SummarySection[]): SummaryDocument {
  const ledger = previousDocument?.ledger
  return { version: 1, sections, ...(ledger === undefined ? {} : { ledger }) }
}

function leftOutSection({ span }: CompactionPlan, text: string): SummarySection {
  const id = `left-out-${span[0]?.entry.id ?? ''}`
  return { title: '', items: [{ id, text, sources: idsOf(span), status: 'open' }] }
}

function notesOf(leftOut: ChunkPlan['leftOut']): string {
  return leftOut.map(({ note }) => note).join('\n')
}
