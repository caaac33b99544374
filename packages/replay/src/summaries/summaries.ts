import { MODEL_FREE_STRATEGY, createProseDocument, createStrategies } from '@longhaul/engine/advanced'
import type { AskModel, CompactionPlan, CompactionStrategy, SummaryDocument } from '@longhaul/engine/advanced'
import type { CountTokens } from '@longhaul/models/prices'
import type { Conversation } from '../conversation/conversation.ts'

/**
 * Who writes the summaries, for every policy of a run alike. `extractive`: sentences and facts taken out by code.
 * `recorded`: the transcript's own summaries where it has them. A model: each policy asks it in its own way.
 */
export type SummarySource =
  | { readonly kind: 'extractive' }
  | { readonly kind: 'recorded' }
  | { readonly kind: 'model'; readonly name: string; readonly ask: AskModel }

/** What the calls of one summary took. */
interface AskedTokens {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The summaries of one run. */
export interface SummaryWriter {
  readonly strategies: ReadonlyMap<string, CompactionStrategy>
  readonly ask: AskModel
  /** The strategy that stands in for a policy's own. */
  strategyFor(wanted: string): string
  /** What was asked since the last time this was called; null: nobody was asked. */
  takeAsked(): AskedTokens | null
}

const RECORDED_STRATEGY = 'recorded'
/** An extract that stands in for a model's summary: it is made when that would be made, and is billed as that. */
const STAND_IN_STRATEGY = 'stand-in'

export function createSummaryWriter(
  source: SummarySource,
  conversation: Pick<Conversation, 'recorded'>,
  countTokens: CountTokens,
): SummaryWriter {
  let asked: AskedTokens | null = null
  const ask: AskModel = async (request, signal) => {
    if (source.kind !== 'model') throw new Error('replay asks no model')
    const reply = await source.ask(request, signal)
    asked = {
      inputTokens: (asked?.inputTokens ?? 0) + countTokens(request.system) + countTokens(request.prompt),
      outputTokens: (asked?.outputTokens ?? 0) + countTokens(reply.text),
    }
    return reply
  }
  return {
    strategies: createStrategies([
      createRecordedStrategy(conversation),
      { name: STAND_IN_STRATEGY, summarize: extract },
    ]),
    ask,
    strategyFor: (wanted) =>
      wanted === 'none' || wanted === MODEL_FREE_STRATEGY || source.kind === 'model'
        ? wanted
        : source.kind === 'recorded'
          ? RECORDED_STRATEGY
          : STAND_IN_STRATEGY,
    takeAsked() {
      const taken = asked
      asked = null
      return taken
    },
  }
}

export function describeSource(source: SummarySource): string {
  switch (source.kind) {
    case 'extractive':
      return 'extractive (sentences and facts taken out by code, the same code for every policy)'
    case 'recorded':
      return 'recorded (the transcript’s own summaries where it has them, else extractive)'
    case 'model':
      return `${source.name} (every policy asks the same model, in its own way)`
    default:
      return source satisfies never
  }
}

/** The newest recorded summary that had been written by then and was not yet used; else an extract. */
function createRecordedStrategy(conversation: Pick<Conversation, 'recorded'>): CompactionStrategy {
  let usedUpTo = -1
  return {
    name: RECORDED_STRATEGY,
    summarize(plan, context) {
      const now = newestIndex(plan)
      const summary = conversation.recorded.findLast(({ afterMessages }) => afterMessages <= now + 1)
      if (summary === undefined || summary.afterMessages <= usedUpTo) return extract(plan, context)
      usedUpTo = summary.afterMessages
      const document: SummaryDocument = createProseDocument(summary.text, [])
      return Promise.resolve({ ok: true, document, usage: null })
    },
  }
}

const extract: CompactionStrategy['summarize'] = (plan, context) =>
  createStrategies().get(MODEL_FREE_STRATEGY)?.summarize(plan, context) ??
  Promise.resolve({ ok: false, problem: 'no extractive strategy', usage: null })

function newestIndex({ span, kept }: CompactionPlan): number {
  return [...span, ...kept].reduce((newest, { entry }) => Math.max(newest, indexOfEntry(entry.id)), -1)
}

/** Entries of a replay are named after the message they hold. */
export function entryIdOf(index: number): string {
  return `m${index}`
}

export function indexOfEntry(id: string): number {
  return Number(/^m(\d+)$/.exec(id)?.[1] ?? Number.NaN)
}
