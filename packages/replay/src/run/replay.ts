import { estimateField } from '@longhaul/engine/advanced'
import { createRegistry, loadCountTokens } from '@longhaul/models/prices'
import type { CountTokens, Registry } from '@longhaul/models/prices'
import type { ReplayPolicy } from '../carriers/carrier.ts'
import { createConversation } from '../conversation/conversation.ts'
import type { Conversation, OpenConversation } from '../conversation/conversation.ts'
import { measureSizes } from '../conversation/message-sizes.ts'
import type { OpenSizes, SizeSource } from '../conversation/message-sizes.ts'
import { EMPTY_BOOK, createReferenceBook } from '../retention/reference-book.ts'
import type { Question } from '../retention/retention.ts'
import { createSummaryWriter, describeSource } from '../summaries/summaries.ts'
import type { SummarySource } from '../summaries/summaries.ts'
import { collectGarbage } from '../transcripts/collect-garbage.ts'
import type { TranscriptPart } from '../transcripts/transcript-file.ts'
import { RECALL_HITS, createRun } from './create-run.ts'
import type { Run } from './create-run.ts'
import { createResultList } from './result-list.ts'
import type { RunResult } from './run-result.ts'

export interface ReplayOptions {
  /** Left out: an exact tokenizer; where bills tell how far off it is and in long conversations, a quicker estimate. */
  readonly countTokens?: CountTokens | undefined
  /** Left out: `billed`. */
  readonly sizes?: SizeSource | undefined
  /** Whose window, prices and cache hold; left out: the one each transcript names. */
  readonly model?: string | undefined
  /** Left out: the model's. */
  readonly windowTokens?: number | undefined
  readonly summaries?: SummarySource | undefined
  readonly questions?: readonly Question[] | undefined
  /** False: nobody asks what the contexts still hold, and the retention of the runs stays empty. It is half of the work. */
  readonly measuresRetention?: boolean | undefined
  readonly registry?: Registry | undefined
  readonly signal?: AbortSignal | undefined
  /** Called after each policy on each part, with the bytes that have been dealt with since. */
  readonly onProgress?: ((bytes: number) => void) | undefined
}

export interface ReplayReport {
  /** Who wrote the summaries, for all alike. */
  readonly summaries: string
  /** A model was called for them. */
  readonly isLive: boolean
  readonly recallHits: number
  /** Conversation by conversation, in each the policies in their order. */
  readonly runs: readonly RunResult[]
}

/** Where neither the caller nor the registry knows a window. */
const ASSUMED_WINDOW_TOKENS = 200_000
/** Fewer do not tell how far off an estimate is. */
const MIN_BILLS = 8
/** Longer conversations are estimated. */
const MAX_COUNTED_MESSAGES = 3_000

/** Transcripts through policies, without calling a model: what each would have sent, paid and kept. */
export async function replay(
  transcripts: Iterable<TranscriptPart> | AsyncIterable<TranscriptPart>,
  policies: readonly ReplayPolicy[],
  options: ReplayOptions,
): Promise<ReplayReport> {
  const { onProgress } = options
  const source = options.summaries ?? { kind: 'extractive' }
  const results = createResultList()
  let replayed: Replayed | null = null
  for await (const transcript of transcripts) {
    if (replayed !== null && transcript.continues === true) replayed.continueWith(transcript)
    else {
      results.add(replayed?.runs ?? [])
      replayed = await startReplay(transcript, policies, { ...options, summaries: source })
    }
    const book = options.measuresRetention === false ? EMPTY_BOOK : createReferenceBook(replayed.conversation)
    for (const run of replayed.runs) {
      await run.replayPart(book)
      // A part of a long one: what this policy left behind must not lie beside what the next needs.
      if (transcript.continues === true) collectGarbage()
      onProgress?.((transcript.bytes ?? 0) / policies.length)
    }
  }
  results.add(replayed?.runs ?? [])
  return {
    summaries: describeSource(source),
    isLive: source.kind === 'model',
    recallHits: RECALL_HITS,
    runs: results.list(),
  }
}

/** One conversation under all policies. */
interface Replayed {
  readonly conversation: OpenConversation
  readonly runs: readonly Run[]
  continueWith(next: TranscriptPart): void
}

async function startReplay(
  transcript: TranscriptPart,
  policies: readonly ReplayPolicy[],
  options: ReplayOptions & { readonly summaries: SummarySource },
): Promise<Replayed> {
  const { questions = [], registry = createRegistry(), signal = null } = options
  const conversation = createConversation(transcript)
  const countTokens = options.countTokens ?? (await chooseCounter(conversation))
  const sizes: OpenSizes = measureSizes(conversation, countTokens, options.sizes)
  const model = options.model ?? conversation.model
  const info = model === null ? null : registry.describe(model)
  const windowTokens = options.windowTokens ?? info?.maxInput ?? info?.contextWindow ?? ASSUMED_WINDOW_TOKENS
  const maxOutputTokens = info?.maxOutput ?? null
  const common = { conversation, sizes, windowTokens, maxOutputTokens, questions, registry, model, signal }
  const runs = policies.map((policy) =>
    createRun(policy, {
      ...common,
      summaries: createSummaryWriter(options.summaries, conversation, countTokens),
    }),
  )
  return {
    conversation,
    runs,
    continueWith(next) {
      collectGarbage()
      conversation.continueWith(next, new Set(runs.flatMap((run) => run.messagesInUse())))
      sizes.addPart()
    },
  }
}

/**
 * With bills to scale it by, the engine's estimate does as well as a tokenizer of another vendor, and is there at once;
 * for a very long conversation a tokenizer takes too long.
 */
async function chooseCounter({ messages }: Conversation): Promise<CountTokens> {
  const billed = messages.filter(({ bill }) => bill !== null).length
  return billed >= MIN_BILLS || messages.length > MAX_COUNTED_MESSAGES
    ? (text) => estimateField(text, 'classes')
    : loadCountTokens()
}
