import { createProseDocument } from '../summary/render-document.ts'
import { estimateField } from '../tokens/estimate-message.ts'
import type { Item } from '../transcript/item.ts'
import type { SummaryDocument, SummarySection } from '../transcript/summary-document.ts'
import { createSummaryCalls } from './calls/ask-summary.ts'
import type { SummaryCalls } from './calls/ask-summary.ts'
import type { Chunk, ChunkPlan } from './chunks.ts'
import type { CompactionPlan } from './compaction-plan.ts'
import { mergeParts } from './calls/merge-parts.ts'
import { createSummarisePrompt } from './prompts/summarise-v1.ts'
import { askInOrder } from './calls/ask-in-order.ts'
import type { CompactionStrategy } from './strategy.ts'
import { idsOf, readSummaryJob } from './summary-job.ts'
import type { SummaryJob } from './summary-job.ts'
import { createGapSection, summaryUnavailable } from './summary-unavailable.ts'

/**
 * A model writes one prose summary of span and earlier summary. A span too long for one call is summarised in chunks,
 * whose summaries are merged. A chunk that fails again and again is named in the summary; the others are kept.
 */
export const summarizeStrategy: CompactionStrategy = {
  name: 'summarize',
  async summarize(plan, context) {
    const job = readSummaryJob(plan, context, { isNumbered: false })
    if (!job.material.isReadable) return { ok: true, document: writeByCode(plan, job.material), usage: null }
    const calls = createSummaryCalls(context)
    const written = job.material.chunks.length === 1 ? await writeAtOnce(job, calls) : await writeInParts(job, calls)
    const usage = calls.usage()
    if (context.signal.aborted) return { ok: false, problem: 'cancelled', usage }
    if (!written.ok) return { ...written, usage }
    const { text, weakness, gaps } = written
    const document = createDocument(plan, job.material, { text, gaps })
    return { ok: true, document, usage, ...(weakness === undefined ? {} : { weakness }) }
  },
}

type Written =
  | { readonly ok: true; readonly text: string; readonly weakness?: string; readonly gaps: readonly Chunk[] }
  | { readonly ok: false; readonly problem: string; readonly isFinal?: boolean }

async function writeAtOnce(job: SummaryJob, { ask }: SummaryCalls): Promise<Written> {
  const { material, earlier, measure } = job
  const [chunk] = material.chunks
  if (chunk === undefined) return { ok: false, problem: 'there is nothing to read' }
  const asked = await ask(...createCall(job, chunk, { earlier, replacedTokens: measure.replacedTokens }))
  return asked.ok ? { ...asked, gaps: [] } : asked
}

async function writeInParts(job: SummaryJob, calls: SummaryCalls): Promise<Written> {
  const { chunks } = job.material
  const { earlier } = job
  const asked = await askInOrder(chunks, (chunk) =>
    calls.askPart(...createCall(job, chunk, { earlier: null, replacedTokens: null })),
  )
  const parts = chunks.flatMap((chunk, index) => {
    const part = asked[index]
    return part?.ok === true ? [{ text: part.text, earlier: null, items: itemsOf(chunk) }] : []
  })
  const failure = asked.find((part) => !part.ok)
  if (parts.length === 0)
    return { ok: false, problem: `part 1 of ${chunks.length}: ${failure?.problem ?? ''}`, isFinal: true }
  const before = earlier === null ? [] : [{ text: earlier, earlier, items: [] }]
  const text = await mergeParts([...before, ...parts], { ...job, calls })
  return { ok: true, text, gaps: chunks.filter((_, index) => asked[index]?.ok !== true) }
}

function createCall(
  { wishes, measure }: SummaryJob,
  { text: transcript, items }: Chunk,
  { earlier, replacedTokens }: { readonly earlier: string | null; readonly replacedTokens: number | null },
): Parameters<SummaryCalls['ask']> {
  return [
    createSummarisePrompt({ ...wishes, transcript, earlierSummary: earlier }),
    { ...measure, replacedTokens, readTokens: estimateField(transcript, measure.estimator) },
    { earlier, items },
  ]
}

/** The messages that the summary of a chunk can tell of. */
function itemsOf(chunk: Chunk): readonly Item[] {
  return chunk.items.flatMap(({ item, state }) => (state === 'left-out' ? [] : [item]))
}

/** The ids are those of this span; what lies before is found through the compaction that this one stands on. */
function createDocument(
  plan: CompactionPlan,
  { leftOut }: ChunkPlan,
  { text, gaps }: { readonly text: string; readonly gaps: readonly Chunk[] },
): SummaryDocument {
  const missing = new Set(gaps.flatMap(({ items }) => items.map(({ item }) => item)))
  const read = plan.span.filter((item) => !missing.has(item))
  const notes = leftOut.filter(({ item }) => !missing.has(item))
  return keepLedger(plan, [
    ...createProseDocument(text, idsOf(read)).sections,
    ...(notes.length === 0 ? [] : [leftOutSection(plan, notesOf(notes))]),
    ...(gaps.length === 0 ? [] : [createGapSection(gaps)]),
  ])
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
